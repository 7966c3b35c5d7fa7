// What a reader does with the built site: opens pages, follows links, searches, on a telephone and in the dark.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, extname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'target', 'dist')
const types = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml' }
const files = readdirSync(dist, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
const pages = files.filter((name) => name.endsWith('.html') && !name.startsWith('javadoc/') && name !== '404.html')
const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => path && existsSync(path))
const needsBrowser = { skip: executablePath ? false : 'Chromium is not installed; CHROMIUM names one' }

let server, browser, origin

/** The file that is served at a path, or undefined. */
function fileAt(path) {
  const place = join(dist, decodeURIComponent(path))
  if (!existsSync(place)) return undefined
  return statSync(place).isDirectory() ? fileAt(`${path}/index.html`) : place
}

before(async () => {
  server = createServer((request, response) => {
    const file = fileAt(new URL(request.url, 'http://localhost').pathname)
    response.writeHead(file ? 200 : 404, { 'content-type': types[extname(file ?? '')] ?? 'application/octet-stream' })
    response.end(file && readFileSync(file))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${server.address().port}`
  if (executablePath) {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'] })
  }
})

after(async () => {
  await browser?.close()
  server.close()
})

/** Does something on a page; fails if the console shows an error or a request leaves the site. */
async function onPage(options, path, action) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const wrong = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('request', (request) => request.url().startsWith(origin) || request.url().startsWith('data:') || wrong.push(request.url()))
  page.on('response', (response) => response.status() < 400 || wrong.push(`${response.status()} ${response.url()}`))
  try {
    await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
    await action(page)
    assert.deepEqual(wrong, [], path)
  } finally {
    await context.close()
  }
}

test('every link of every page leads to a page, and to a heading of it', () => {
  const ids = new Map()
  const idsOf = (file) => {
    if (!ids.has(file)) ids.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/ (?:id|name)="([^"]+)"/g)].map((match) => match[1])))
    return ids.get(file)
  }
  const dead = []
  let links = 0
  for (const page of pages) {
    for (const [, href] of readFileSync(join(dist, page), 'utf8').matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue
      links++
      const url = new URL(href.replaceAll('&amp;', '&'), `http://localhost/${page}`)
      const file = fileAt(url.pathname) ?? fileAt(`${url.pathname}.html`)
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (!file || (anchor && file.endsWith('.html') && !idsOf(file).has(anchor))) dead.push(`${page}: ${href}`)
    }
  }
  assert.deepEqual([...new Set(dead)], [])
  assert.ok(links > 5000, `${links} links`)
})

test('every page of the sidebar opens without an error, and fits a telephone', needsBrowser, async () => {
  const narrow = { viewport: { width: 360, height: 740 } }
  const read = pages.filter((page) => !page.startsWith('docs/adr/') && !page.startsWith('docs/api/'))
  assert.ok(read.length > 45, `${read.length} pages`)
  for (const path of read) {
    await onPage(narrow, path, async (page) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= 360, `${path} is ${width} pixels wide`)
      assert.ok((await page.locator('.vp-doc h1').count()) > 0, `${path} has no heading`)
    })
  }
})

test('the search finds a method', needsBrowser, async () => {
  await onPage({}, '', async (page) => {
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input').fill('putIfAbsent')
    const first = page.locator('#localsearch-list a').first()
    await first.waitFor()
    await first.click()
    await page.waitForURL(/\/docs\//)
    assert.match(await page.locator('.vp-doc').innerText(), /putIfAbsent/)
  })
})

test('a dark system has dark pages', needsBrowser, async () => {
  const brightness = (page) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))
  await onPage({ colorScheme: 'dark' }, 'docs/getting-started.html', async (page) => assert.ok((await brightness(page)) < 150))
  await onPage({ colorScheme: 'light' }, 'docs/getting-started.html', async (page) => assert.ok((await brightness(page)) > 600))
})

test('javadoc of each module is there', () => {
  const modules = existsSync(join(dist, 'javadoc')) ? readdirSync(join(dist, 'javadoc')) : []
  const links = [...readFileSync(join(dist, 'index.html'), 'utf8').matchAll(/href="\/(javadoc\/[^"]+)"/g)].map((match) => match[1])
  assert.deepEqual([...new Set(links)].sort(), modules.map((name) => `javadoc/${name}/index.html`).sort())
  for (const path of links) assert.match(readFileSync(fileAt(path), 'utf8'), /<title>.*API/)
})
