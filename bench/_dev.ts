import { loadSet } from './data.ts'
import { ndcg, recall, mean, round } from './measures.ts'
import { Retriever } from '../src/retriever.ts'
import { defineStrategy } from '../src/strategies/define.ts'
import { bm25 } from '../src/modalities/bm25.ts'
import { literal } from '../src/modalities/literal.ts'
import { searchAll, unite, fuse, validate } from '../src/strategies/stages.ts'
import { convexCombination } from '../src/fusion/convex.ts'
import { literalValidator } from '../src/evidence/literal-validator.ts'
import { readFileSync } from 'node:fs'
import { dataPath } from './data.ts'
const fusion = convexCombination({normaliser:'minMax',weights:{bm25:+(process.env.WB??.5),literal:+(process.env.WL??.5)}})
const strat = defineStrategy({name:'dev',modalities:[bm25(),literal()],async run(q,c){ const f=await searchAll(q,c,{bm25:50,literal:50}); const u=await unite(f,c); return validate(q,await fuse(u,f,fusion,c),literalValidator(),c)}})
for (const name of (process.argv[2]?.split(',') ?? ['godot','tensorflow'])) {
  const set=loadSet(name)
  const t=performance.now()
  await using r = await Retriever.create({records:set.records,strategy:strat})
  console.log(name,'build',performance.now()-t, process.memoryUsage().rss/1e6)
  const acc={}; const push=(k,v)=>(acc[k]??=[]).push(v)
  const conf={}; let fm=0, mig={a:0,u:0,r:0,n:0}, extra=0; const fmList=[], migList=[]
  const grades={}
  let ms=0
  for (const q of set.queries) {
    const t1=performance.now()
    const res=await r.retrieve(q.chunkText,{language:q.language,filter:rec=>set.inScope(q.type,rec),collections:[q.type.includes('migration')?'api_mapping':'docs_chunks']})
    ms+=performance.now()-t1
    const rel=set.qrels.get(q.id)??new Map()
    const ids=res.candidates.map(c=>c.id); const byF=res.candidates.toSorted((a,b)=>b.fusedScore-a.fusedScore||(a.id<b.id?-1:1)).map(c=>c.id)
    const key=q.type+(q.subset?'/'+q.subset:'')
    if (q.type==='no_migration') { if(res.accepted.length){fm++; fmList.push([q.id,q.trap??q.subset??'',res.accepted.map(a=>a.id+' :: '+a.verdict.reason)])}; push(key+' uncertain',res.uncertain.length) ; continue }
    push(key+' tier nd',ndcg(ids,rel)); push(key+' fuse nd',ndcg(byF,rel)); push(key+' rec50',recall(byF,rel)); push(key+' tier rec50',recall(ids,rel))
    if (q.type==='migration') { for (const [id,g] of rel) if(g>=2){ mig.n++; const c=res.candidates.find(c=>c.id===id); const o=c?.verdict.outcome??'none'; mig[o]=(mig[o]??0)+1; if(o!=='accept') migList.push([q.id,id,o,c?.verdict.reason]) } ; extra+=res.accepted.filter(a=>!(rel.get(a.id)>0)).length }
    else for (const [id,g] of rel){ const o=res.candidates.find(c=>c.id===id)?.verdict.outcome??'none'; ((grades[q.type]??={})[g]??={})[o]=(grades[q.type][g][o]??0)+1 }
  }
  for (const k in acc) console.log(k.padEnd(44),round(mean(acc[k])))
  console.log('false migrations',fm, JSON.stringify(fmList,null,1).slice(0,+(process.env.SHOW??0))); console.log('mig',mig,'extra accepted',extra,JSON.stringify(migList,null,1).slice(0,+(process.env.SHOW??0)))
  for (const t in grades) for (const g in grades[t]) console.log(t,'grade',g,JSON.stringify(grades[t][g]))
  for (const t in grades){ const G=grades[t]; const a=g=>G[g]?.accept??0; console.log(t,'accept precision',round((a(1)+a(2)+a(3))/(a(0)+a(1)+a(2)+a(3))),'g3 accepted',round(a(3)/Object.values(G[3]??{}).reduce((x,y)=>x+y,0)),'g3 acc|unc',round((a(3)+(G[3]?.uncertain??0))/Object.values(G[3]??{}).reduce((x,y)=>x+y,0))) }
  console.log('ms/query',ms/set.queries.length)
}
