import { loadSet } from './data.ts'
import { ndcg, recall, mean, round } from './measures.ts'
import { Retriever } from '../src/retriever.ts'
import { defineStrategy } from '../src/strategies/define.ts'
import { bm25 } from '../src/modalities/bm25.ts'
import { embedding } from '../src/modalities/embedding.ts'
import { literal } from '../src/modalities/literal.ts'
import { searchAll, unite, fuse, validate } from '../src/strategies/stages.ts'
import { convexCombination } from '../src/fusion/convex.ts'
import { literalValidator } from '../src/evidence/literal-validator.ts'
import { weigh } from '../src/evidence/find.ts'
import { readFileSync } from 'node:fs'
import { dataPath } from './data.ts'
const fusion = convexCombination({normaliser:'minMax',weights:{bm25:+(process.env.WB??.5),literal:+(process.env.WL??.5),...(process.env.WE?{embedding:+process.env.WE}:{})}})
const strat = defineStrategy({name:'dev',modalities:[bm25(),literal(),...(process.env.WE?[embedding()]:[])],async run(q,c){ const f=await searchAll(q,c,process.env.WE?{bm25:50,literal:50,embedding:50}:{bm25:50,literal:50}); const u=await unite(f,c); return validate(q,await fuse(u,f,fusion,c),literalValidator(),c)}})
for (const name of (process.argv[2]?.split(',') ?? ['godot','tensorflow'])) {
  const set=loadSet(name)
  const t=performance.now()
  await using r = await Retriever.create({records:set.records,strategy:strat})
  console.log(name,'build',performance.now()-t, process.memoryUsage().rss/1e6)
  const acc={}; const push=(k,v)=>(acc[k]??=[]).push(v)
  const conf={}; let fm=0, mig={a:0,u:0,r:0,n:0}, extra=0; const fmList=[], migList=[]
  const dist={}, grades={}, why={}
  let ms=0
  for (const q of set.queries) {
    const t1=performance.now()
    const res=await r.retrieve(q.chunkText,{language:q.language,filter:rec=>set.inScope(q.type,rec),collections:[q.type.includes('migration')?'api_mapping':'docs_chunks']})
    ms+=performance.now()-t1
    const rel=set.qrels.get(q.id)??new Map()
    const ids=res.candidates.map(c=>c.id); const byF=res.candidates.toSorted((a,b)=>b.fusedScore-a.fusedScore||(a.id<b.id?-1:1)).map(c=>c.id)
    const key=q.type+(q.subset?'/'+q.subset:'')
    if (q.type==='no_migration') { if(res.accepted.length){fm++; fmList.push([q.id,q.trap??q.subset??'',res.accepted.map(a=>a.id+' :: '+a.verdict.reason)])}; push(key+' uncertain',res.uncertain.length) ; continue }
    push(key+' lit nd',ndcg(res.candidates.filter(c=>c.hits.literal).sort((a,b)=>a.hits.literal.rank-b.hits.literal.rank).map(c=>c.id),rel)); push(key+' tier nd',ndcg(ids,rel)); push(key+' fuse nd',ndcg(byF,rel)); const vr=(f)=>res.candidates.toSorted((a,b)=>f(b)-f(a)||(a.id<b.id?-1:1)).map(c=>c.id); const oc=c=>c.verdict.outcome
    push(key+' rejlast nd',ndcg(vr(c=>c.fusedScore-(oc(c)==='reject'?10:0)),rel))
    for (const [x,y] of [[.1,.1],[.2,.1],[.2,.2],[.3,.2],[.3,.3],[.5,.5]]) push(key+` bonus ${x} malus ${y}`,ndcg(vr(c=>c.fusedScore+(oc(c)==='accept'?x:0)-(oc(c)==='reject'?y:0)),rel))
    push(key+' rec50',recall(byF,rel)); push(key+' tier rec50',recall(ids,rel))
    if (q.type==='migration') { for (const [id,g] of rel) if(g>=2){ mig.n++; const c=res.candidates.find(c=>c.id===id); const o=c?.verdict.outcome??'none'; mig[o]=(mig[o]??0)+1; if(o!=='accept') migList.push([q.id,id,o,c?.verdict.reason]) } ; extra+=res.accepted.filter(a=>!(rel.get(a.id)>0)).length }
    else for (const [id,g] of rel){ const cc=res.candidates.find(c=>c.id===id); if(cc){ const nm=(id.split(/[.#-]/).at(-1)??''); const w=q.type+' '+cc.verdict.outcome+' '+cc.verdict.reason.replace(/shares .*/,'shares').replace(/the code uses \S+( on a receiver of unknown type|;|, which only| on a \S+$| on \S+, not on| and names|$).*/,'USES$1').replace(/\S+ is (not used|a name)/,'X is $1'); if(q.type==='tutorial'){ (dist[g]??=[]).push(weigh(cc.verdict.evidence)) };(why[w]??={})[g]=(why[w][g]??0)+1 }
  const o=res.candidates.find(c=>c.id===id)?.verdict.outcome??'none'; ((grades[q.type]??={})[g]??={})[o]=(grades[q.type][g][o]??0)+1 }
  }
  for (const g in dist) { const d=dist[g].sort((a,b)=>a-b); console.log('weights grade',g,d.length,[.05,.1,.25,.5,.75,.9,.95].map(p=>d[Math.floor(d.length*p)].toFixed(2)).join(' ')) }
  if(process.env.WHY) for (const k of Object.keys(why).sort()) console.log(k.padEnd(90),JSON.stringify(why[k]))
  for (const k in acc) console.log(k.padEnd(44),round(mean(acc[k])))
  console.log('false migrations',fm, JSON.stringify(fmList,null,1).slice(0,+(process.env.SHOW??0))); console.log('mig',mig,'extra accepted',extra,JSON.stringify(migList,null,1).slice(0,+(process.env.SHOW??0)))
  for (const t in grades) for (const g in grades[t]) console.log(t,'grade',g,JSON.stringify(grades[t][g]))
  for (const t in grades){ const G=grades[t]; const a=g=>G[g]?.accept??0; console.log(t,'accept precision',round((a(1)+a(2)+a(3))/(a(0)+a(1)+a(2)+a(3))),'g3 accepted',round(a(3)/Object.values(G[3]??{}).reduce((x,y)=>x+y,0)),'g3 acc|unc',round((a(3)+(G[3]?.uncertain??0))/Object.values(G[3]??{}).reduce((x,y)=>x+y,0))) }
  console.log('ms/query',ms/set.queries.length)
}
