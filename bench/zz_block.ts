import { readFileSync } from 'node:fs'
import { parallel, readRecords, Retriever } from '../src/index.ts'
import { dataPath } from './data.ts'
const files = ['docs_chunks.jsonl.gz', 'api_mapping.jsonl', 'label_prototypes.jsonl'].map((file) => dataPath(`godot/corpus/${file}`))
const cpu = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6
let last = performance.now(), lastCpu = cpu(), where = ''
const t0 = performance.now()
const blocks: any[] = []
const timer = setInterval(() => { const n = performance.now(), c = cpu(); blocks.push([Math.round(last - t0), Math.round(n - last), Math.round(c - lastCpu), where]); last = n; lastCpu = c }, 1)
const r = await Retriever.create({ records: readRecords(files), strategy: parallel(), onProgress: (p) => { where = JSON.stringify(p); if (p.stage==='index') console.log(Math.round(performance.now()-t0), where) } })
console.log('total', performance.now() - t0, 'start', t0)
await new Promise((x) => setTimeout(x, 100)); clearInterval(timer)
for (const b of blocks.toSorted((a, b) => b[2] - a[2]).slice(0, 12)) console.log('block', ...b)
console.log('worst wall', blocks.toSorted((a, b) => b[1] - a[1])[0])
