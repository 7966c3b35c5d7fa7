// Asks the service once a second what its caches do, and draws it.
"use strict";

const PERIOD_MILLIS = 1000;
const SHOWN_SECONDS = 60;
const ASKED = 300;
const AT_ONCE = 6;
const MEMORY = "#0b7a75", DISK = "#e0912f", MISS = "#c0392b";

const $ = id => document.getElementById(id);
const number = value => value.toLocaleString("en");
const json = async (path, options) => {
  const response = await fetch(path, options);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
};

function chart(id, lines) {
  const options = {
    width: $(id).clientWidth, height: 170,
    cursor: {drag: {x: false, y: false}},
    legend: {live: false},
    scales: {x: {time: true}, y: {range: (u, min, max) => [0, Math.max(1, max * 1.1)]}},
    series: [{}, ...lines.map(([label, stroke]) => ({label, stroke, width: 2, points: {show: false}}))],
    axes: [{}, {size: 55}],
  };
  const data = [[], ...lines.map(() => [])];
  const plot = new uPlot(options, data, $(id));
  return (...values) => {
    data[0].push(Date.now() / 1000);
    values.forEach((value, i) => data[i + 1].push(value));
    if (data[0].length > SHOWN_SECONDS) data.forEach(line => line.shift());
    plot.setData(data);
  };
}

const drawTiers = chart("tiers", [["memory", MEMORY], ["store", DISK], ["misses", MISS]]);
const drawLatency = chart("latency", [["mean", MEMORY], ["slowest of the last minutes", DISK]]);
const drawSizes = chart("sizes", [["entries in memory", MEMORY], ["MB on disk", DISK]]);

async function latency() {
  try {
    const tag = encodeURIComponent("uri:/api/countries/{code}");
    const meter = await json(`actuator/metrics/http.server.requests?tag=${tag}`);
    return Object.fromEntries(meter.measurements.map(m => [m.statistic, m.value]));
  } catch {
    return {COUNT: 0, TOTAL_TIME: 0, MAX: 0}; // nobody has asked yet
  }
}

let before = null;

async function look() {
  const [all, times, popular, waiting, shared] = await Promise.all([json("actuator/rockpool"), latency(),
    json("api/leaderboard"), json("api/preparations"), json("api/instances")]);
  const caches = Object.values(all.cacheManagers).flat();
  const sum = of => caches.reduce((total, cache) => total + of(cache), 0);
  const now = {
    memory: sum(c => c.memoryHits), disk: sum(c => c.diskHits), misses: sum(c => c.misses),
    entries: sum(c => c.memoryEntries), bytes: all.stores.rockpool.diskBytes,
    count: times.COUNT, seconds: times.TOTAL_TIME, slowest: times.MAX,
  };
  const reads = now.memory + now.disk + now.misses;
  $("hit-ratio").textContent = reads ? `${(100 * (now.memory + now.disk) / reads).toFixed(1)} %` : "–";
  $("memory-hits").textContent = number(now.memory);
  $("disk-hits").textContent = number(now.disk);
  $("misses").textContent = number(now.misses);
  $("entries").textContent = number(now.entries);
  $("disk").textContent = `${(now.bytes / 1e6).toFixed(1)} MB`;
  $("waiting").textContent = number(waiting);
  fill("leaderboard", popular, place => ["li", `${place.name}: ${number(place.times)}`]);
  fill("caches", caches, cache => ["tr", null,
    [cache.name, cache.memoryHits, cache.diskHits, cache.misses, cache.puts, cache.memoryEntries]]);
  fill("queues", all.stores.rockpool.queues, queue => ["tr", null,
    [queue.name, queue.depth, queue.inFlight, queue.acknowledged, queue.redelivered, queue.deadLetters ?? "–",
      queue.nextFiring ? new Date(queue.nextFiring).toLocaleTimeString("en") : queue.paused ? "paused" : "–"]]);
  showInstances(shared);
  if (before) {
    drawTiers(now.memory - before.memory, now.disk - before.disk, now.misses - before.misses);
    const answers = now.count - before.count;
    drawLatency(answers ? 1000 * (now.seconds - before.seconds) / answers : null, 1000 * now.slowest);
  }
  drawSizes(now.entries, now.bytes / 1e6);
  before = now;
}

function showInstances(shared) {
  $("store").textContent = shared.store;
  $("note").hidden = shared.collections;
  document.body.classList.toggle("caches-only", !shared.collections);
  fill("instances", shared.instances, ({address, report}) => {
    const name = new URL(address).host;
    if (!report) return ["tr", null, [name, "gone"]];
    const sum = of => report.caches.reduce((total, cache) => total + of(cache), 0);
    const seconds = Math.max(0, Math.round((Date.now() - new Date(report.started)) / 1000));
    const cells = [name, String(report.pid), `${number(seconds)} s`, sum(c => c.memoryHits), sum(c => c.storeHits),
      sum(c => c.misses), sum(c => c.puts), sum(c => c.memoryEntries), sum(c => c.invalidations)];
    return ["tr", null, shared.collections ? [...cells, report.prepared, report.firings] : cells];
  });
  [...$("instances").children].forEach((row, i) => {
    const {address, here, report} = shared.instances[i];
    row.className = report ? here ? "here" : "" : "gone";
    const link = document.createElement("a");
    link.href = address;
    link.textContent = row.firstChild.textContent;
    row.firstChild.replaceChildren(link);
  });
}

function fill(id, items, describe) {
  $(id).replaceChildren(...items.map(item => {
    const [name, text, cells] = describe(item);
    const element = document.createElement(name);
    if (cells) {
      element.append(...cells.map(cell => {
        const td = document.createElement("td");
        td.textContent = typeof cell === "number" ? number(cell) : cell;
        return td;
      }));
    } else {
      element.textContent = text;
    }
    return element;
  }));
}

async function ask() {
  $("ask").disabled = true;
  const codes = await json("api/countries");
  const language = $("language").value;
  const began = performance.now();
  let left = ASKED;
  await Promise.all(Array.from({length: AT_ONCE}, async () => {
    while (left-- > 0) {
      // The square makes some countries more popular than others.
      const code = codes[Math.floor(Math.random() ** 2 * codes.length)];
      await json(`api/countries/${code}?language=${language}`);
    }
  }));
  $("answer").textContent = `${ASKED} answers in ${Math.round(performance.now() - began)} ms`;
  $("ask").disabled = false;
}

async function again() {
  const made = await json(`api/countries/CH?language=${$("language").value}`, {method: "POST"});
  $("made").textContent = `${made.name} was made again by process ${made.making.pid}, for all instances.`;
}

async function prepare() {
  $("waiting").textContent = number(await json(`api/preparations?language=${$("language").value}`, {method: "POST"}));
}

$("ask").addEventListener("click", ask);
$("again").addEventListener("click", again);
$("prepare").addEventListener("click", prepare);

(async () => {
  for (;;) {
    try {
      await look();
    } catch (error) {
      $("answer").textContent = `The service does not answer: ${error.message}`;
    }
    await new Promise(resolve => setTimeout(resolve, PERIOD_MILLIS));
  }
})();
