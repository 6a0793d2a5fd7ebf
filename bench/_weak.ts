import { loadSet } from './data.ts'
for (const name of ['godot','tensorflow'] as const) {
  const set = loadSet(name); const by = new Map(set.records.filter(r=>r.collection==='api_mapping').map(r=>[r.id,r]))
  const weak=(id)=>Object.entries(by.get(id)).some(([k,v])=>k.startsWith('old_name_legal')&&v===true)
  let n=0,w=0,lonely=0,wp=0
  for (const q of set.queries) if(q.type==='migration'){ const rel=[...set.qrels.get(q.id)].filter(([,g])=>g>=2).map(([d])=>d); const firm=rel.some(d=>!weak(d)); for(const d of rel){ n++; if(weak(d)){ w++; if(by.get(d).source_pattern) wp++; if(!firm) {lonely++; if(name==='godot') console.log(q.id,d,by.get(d).source_pattern)} } } }
  console.log(name,n,'weak',w,'with pattern',wp,'without a firm one in the chunk',lonely)
}
