// The site shows the repository's Markdown as it is. Pages keep their places, so links hold here and in the repository.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const site = join(dirname(fileURLToPath(import.meta.url)), '..')
const root = join(site, '..')
const source = join(site, 'target', 'source')
const read = (file) => readFileSync(join(root, file), 'utf8')
const markdown = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.md')).sort()
const title = (file) => read(file).match(/^# (.+)$/m)[1].replaceAll('`', '')

const bom = read('bom/pom.xml')
const repository = bom.match(/<publish\.url>(https:[^<]+)</)?.[1]
const version = bom.match(/<artifactId>rockpool-bom<\/artifactId>\s*<version>([^<]+)/)[1]
const modules = [...new Set(bom.match(/(?<=<artifactId>rockpool-)[a-z0-9-]+(?=<)/g))].filter((name) => name !== 'bom')
const places = (name) => [name, ...[name, `${name}/runtime`, name.replace('-', '/')].map((place) => `integrations/${place}`)]
/** Where each module's javadoc is after the build has made its jar. */
const javadoc = Object.fromEntries(
  modules
    .map((name) => [name, places(name).find((place) => existsSync(join(root, place, 'pom.xml')))])
    .map(([name, place]) => [name, join(root, place, 'target', 'reports', 'apidocs')])
    .filter(([, folder]) => existsSync(folder)),
)
/** Other versions, if they are on the same server: [{"text": "0.1.0", "link": "https://…"}]. */
const versions = JSON.parse(process.env.ROCKPOOL_SITE_VERSIONS ?? '[]')

const folders = ['docs', 'docs/migration', 'docs/adr']
const outside = ['CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'RELEASING.md', 'SECURITY.md']
const pages = [...outside, ...folders.flatMap((folder) => markdown(folder).map((name) => `${folder}/${name}`))]

/** A list as a page, for a directory that has none. */
function index(folder, heading, entries) {
  const lines = entries.map(([text, link]) => `- [${text}](${link})`)
  writeFileSync(join(source, folder, 'index.md'), `# ${heading}\n\n${lines.join('\n')}\n`)
}

/** Files that a page links to are served as text; a directory is in the repository alone. */
function withLinks(page, text) {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)/g, (whole, picture, words, link, anchor = '') => {
    const file = normalize(join(dirname(page), link)).replace(/\/$/, '')
    if (/^[a-z]+:/.test(link) || file === 'docs/adr' || file === 'docs/api' || !existsSync(join(root, file))) return whole
    if (file.endsWith('.md')) return whole.replace('README.md', 'index.md')
    if (statSync(join(root, file)).isDirectory()) {
      if (existsSync(join(root, file, 'README.md'))) return whole
      return repository ? `[${words}](${repository}/tree/v${version}/${file})` : words
    }
    const place = picture ? join(source, file) : join(source, 'public', 'files', `${file}.txt`)
    mkdirSync(dirname(place), { recursive: true })
    copyFileSync(join(root, file), place)
    return picture ? whole : `[${words}](pathname:///files/${file}.txt)`
  })
}

rmSync(source, { recursive: true, force: true })
for (const page of ['README.md', ...pages]) {
  const place = join(source, page.replace(/README\.md$/, 'index.md'))
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, withLinks(page, read(page)).replace(/^```(golden|refused)\b.*$/gm, '```txt'))
}
cpSync(join(root, 'docs', 'api'), join(source, 'public', 'docs', 'api'), { recursive: true })
mkdirSync(join(source, 'docs', 'api'))
index('docs/api', 'Public types and members', readdirSync(join(root, 'docs', 'api')).map((name) => [name, `pathname:///docs/api/${name}`]))
index('docs/adr', 'Decisions', markdown('docs/adr').map((name) => [title(`docs/adr/${name}`), name]))
for (const [name, folder] of Object.entries(javadoc)) {
  cpSync(folder, join(source, 'public', 'javadoc', name), { recursive: true })
}

const item = (page) => ({ text: title(page), link: '/' + page.replace(/(README)?\.md$/, '') })
const named = new Set()
const group = (text, ...names) => {
  names.forEach((name) => named.add(`docs/${name}.md`))
  return { text, collapsed: false, items: names.map((name) => item(`docs/${name}.md`)) }
}
const sidebar = [
  group('Begin', 'getting-started', 'tutorial', 'basics', 'which-call', 'samples', 'faq', 'migration/README'),
  group('Caches', 'jcache', 'spring', 'tags', 'write-behind', 'once'),
  group('Collections and queues', 'collections', 'queue', 'changes', 'commands'),
  group('On servers', 'many-machines', 'redis', 'postgresql', 'round-trips'),
  group('In production', 'operations', 'deploys', 'evolution', 'evolution-keys', 'sizing', 'first-seconds', 'write-stalls', 'bad-days', 'faults', 'encryption', 'cli'),
  group('Frameworks', 'kotlin', 'cdi', 'micronaut', 'quarkus', 'camel', 'spring-session', 'spring-ai', 'langchain4j'),
  group('Benchmarks', ...markdown('docs').map((name) => basename(name, '.md')).filter((name) => name.startsWith('benchmarks'))),
  group('Reference', 'properties', 'compatibility', 'stability', 'ARCHITECTURE', 'FORMAT', 'format-codecs'),
]
sidebar.at(-1).items.push({ text: 'Decisions', link: '/docs/adr/' }, { text: 'Public API', link: '/docs/api/' }, item('CHANGELOG.md'))
const unlisted = markdown('docs').map((name) => basename(name, '.md')).filter((name) => !named.has(`docs/${name}.md`))
if (unlisted.length) sidebar.push(group('More', ...unlisted))

/** Three ripples. */
const ripple = (width, y) => `<path d="M${16 - width} ${y}q${width} 7 ${2 * width} 0" fill="none" stroke="#2a8ba8" stroke-width="3" stroke-linecap="round"/>`
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${ripple(13, 9)}${ripple(9, 16)}${ripple(5, 23)}</svg>`

export default defineConfig({
  title: 'Rockpool',
  description: 'Persistent caches, collections and queues for Java',
  base: process.env.ROCKPOOL_SITE_BASE ?? '/',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: 'target/source',
  srcExclude: ['public/**'],
  outDir: 'target/dist',
  cacheDir: 'target/cache',
  // The pages are for GitHub, too: what looks like a tag there is text here.
  markdown: { html: false, languageAlias: { hocon: 'json' } },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/docs/getting-started' },
      { text: 'Javadoc', items: Object.keys(javadoc).map((name) => ({ text: name, link: `/javadoc/${name}/index.html`, target: '_self' })) },
      { text: version, items: [{ text: `${version} (this one)`, link: '/' }, ...versions] },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
