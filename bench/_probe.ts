import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { readChunk } from '/work/main/src/code/chunk.ts'
import { readRecord } from '/work/main/src/corpus/reading.ts'
import { createVocabularies } from '/work/main/src/corpus/vocabulary.ts'
import { Bm25Index } from '/work/main/src/modalities/bm25-index.ts'
const set = process.argv[2] ?? 'godot'
import { LiteralIndex } from '/work/main/src/modalities/literal-index.ts'
import { SymbolTable } from '/work/main/src/corpus/symbol-table.ts'
import { literalsOf } from '/work/main/src/code/literals.ts'
const base = `/work/shared/data/${set}`
const F = (name,reads,weight,evidence) => ({name,reads,weight,evidence})
const cols = {
 docs_chunks: {name:'docs_chunks', fields:[F('title','symbol',2,'subject'),F('content','prose',1,'mention'),F('code_blocks','code',1,'mention'),F('api_symbols','symbol',1,'mention')]},
 api_mapping: {name:'api_mapping', weakNames:'old_name_legal', fields:[F('source_api','symbol',2,'subject'),F('match_terms','symbol',1,'mention'),F('required_when_seen_in_code','symbol',1,'gate'),F('source_pattern','symbol',0,'pattern'),F('before_code','code',1,'mention'),F('notes','prose',0.5,'none')]},
 label_prototypes:{name:'label_prototypes',fields:[F('label','symbol',1,'none'),F('description','prose',1,'none'),F('match_terms','symbol',1,'mention'),F('required_when_seen_in_code','symbol',1,'gate'),F('source_pattern','symbol',0,'pattern'),F('before_code','code',1,'mention')]},
}
const lines = (t) => t.split('\n').filter(Boolean).map(l=>JSON.parse(l))
const docs = lines(gunzipSync(readFileSync(base+'/corpus/docs_chunks.jsonl.gz')).toString())
const maps = lines(readFileSync(base+'/corpus/api_mapping.jsonl','utf8'))
const queries = lines(readFileSync(base+'/dev/queries.jsonl','utf8'))
const qrels = new Map()
for (const l of readFileSync(base+'/dev/qrels.tsv','utf8').split('\n')) { if(!l.trim()) continue; const [q,,d,g]=l.split(/\s+/); if(!qrels.has(q)) qrels.set(q,new Map()); qrels.get(q).set(d,+g) }
const v = createVocabularies()
let t0=performance.now()
const idx={}
for (const [name,rs] of [['docs_chunks',docs],['api_mapping',maps]]) {
  const recs = rs.map(r=>({collection:name,id:r.id,record:r,reading:readRecord(r,cols[name],v)}))
  idx[name]=recs
}
console.log('read',performance.now()-t0, v.terms.size, v.literals.size, process.memoryUsage().rss/1e6)
t0=performance.now()
const ix={}
for (const n of Object.keys(idx)) ix[n]=new Bm25Index(idx[n],cols[n].fields.map(f=>f.weight),v.terms.size,{k1:1.2,b:0.75})
const st=new SymbolTable(); const lx={}
for (const n of Object.keys(idx)) { for(const e of idx[n]) st.add(e); lx[n]=new LiteralIndex(idx[n],v.literals,st.of(n)) }
console.log('compile',performance.now()-t0, ix.docs_chunks.size)
export function ndcg(rank, rel, k=10){ let d=0; rank.slice(0,k).forEach((id,i)=>{const g=rel.get(id)??0; d+=(2**g-1)/Math.log2(i+2)}); const ideal=[...rel.values()].sort((a,b)=>b-a).slice(0,k).reduce((s,g,i)=>s+(2**g-1)/Math.log2(i+2),0); return ideal?d/ideal:0 }
const api = set==='godot'?'classes/':'api_docs/'
const scope = {tutorial:['docs_chunks',r=>!r.page.startsWith(api)],api:['docs_chunks',r=>r.page.startsWith(api)],migration:['api_mapping',undefined]}

const norm=(top,idsOf)=>{ if(!top.length) return new Map(); const mx=top[0].score, mn=Math.min(...top.map(t=>t.score)); return new Map(top.map(t=>[idsOf(t), mx>mn? (t.score-mn)/(mx-mn)*0.9+0.1:1])) }
const res={}; let cpu=0,n=0,cr=0,cl=0
for (const q of queries){ if(q.type==='no_migration') continue
  const [c,f]=scope[q.type]
  const t=performance.now(); const chunk=readChunk(q.chunkText, q.language??(set==='godot'?'gdscript':'python')); const t1=performance.now()
  const terms=[...chunk.terms].map(([w,x])=>[v.terms.find(w),x]).filter(([a])=>a!==undefined).sort((a,b)=>a[0]-b[0])
  const bm=ix[c].search(terms,50,f); const t2=performance.now()
  const probes=literalsOf(chunk).map(l=>[v.literals.find(l.key),l]).filter(([a])=>a!==undefined)
  const li=lx[c].search(chunk,probes,50,f)
  cr+=t1-t; cpu+=t2-t1; cl+=performance.now()-t2; n++
  const id=s=>idx[c][s.place].id
  const A=norm(bm,id),B=norm(li,id)
  const fused=(w)=>[...new Set([...A.keys(),...B.keys()])].map(d=>[d,(1-w)*(A.get(d)??0)+w*(B.get(d)??0)]).sort((a,b)=>b[1]-a[1]||(a[0]<b[0]?-1:1)).map(x=>x[0])
  const rel=qrels.get(q.id); const good=[...rel].filter(([,g])=>g>=2).map(([d])=>d)
  const runs={bm:bm.map(id),lit:li.map(id),f3:fused(.3),f5:fused(.5),f7:fused(.7)}
  for(const [k,top] of Object.entries(runs)){ const r=((res[q.type+(q.subset?'/'+q.subset:'')]??={})[k]??={n:0,nd:0,rec:0}); r.n++; r.nd+=ndcg(top,rel); r.rec+=good.length?good.filter(d=>top.slice(0,50).includes(d)).length/good.length:0 }
}
for(const t in res) console.log(t.padEnd(26),Object.entries(res[t]).map(([k,r])=>k+' '+(r.nd/r.n).toFixed(3)+' '+(r.rec/r.n).toFixed(3)).join(' | '))
console.log('ms: chunk',cr/n,'bm25',cpu/n,'lit',cl/n)
if (process.argv[3]) { const want=process.argv[3]; let shown=0
for (const q of queries){ if(q.type!==want) continue; if((shown++)%11) continue
  const [c,f]=scope[q.type]; const chunk=readChunk(q.chunkText, q.language??(set==='godot'?'gdscript':'python'))
  const probes=literalsOf(chunk).map(l=>[v.literals.find(l.key),l]).filter(([a])=>a!==undefined)
  const li=lx[c].search(chunk,probes,400,f)
  const rel=qrels.get(q.id)
  console.log('=====',q.id,ndcg(li.map(s=>idx[c][s.place].id),rel).toFixed(3)); console.log(q.chunkText.slice(0,700))
  li.slice(0,10).forEach(s=>console.log('   ',s.score.toFixed(2),rel.get(idx[c][s.place].id)??'-',idx[c][s.place].id))
  for(const [d,g] of rel) if(g>0){ const at=li.findIndex(s=>idx[c][s.place].id===d); if(at<0||at>=10) console.log('      missed',g,d,at, at>=0?li[at].score.toFixed(2):'') }
}}
