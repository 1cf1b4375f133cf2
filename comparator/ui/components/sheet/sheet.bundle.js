// Made by `npm run bundle` from sheet/js/main.js; do not edit.
var zt="comparator:outputs-asked",xe="comparator:outputs-there";function $e(e){let t={coming:!1};if(window.dispatchEvent(new CustomEvent(zt,{detail:t})),!t.coming)return e(),()=>{};let n=()=>{
clearTimeout(o),window.removeEventListener(xe,s)},s=()=>{n(),e()},o=setTimeout(s,300);return window.addEventListener(xe,
s),n}var r=(e,t,...n)=>({tag:e,props:t||{},children:n.flat(1/0).map(s=>s&&typeof s=="object"?s:{words:Vt(s)})}),Vt=e=>e==null||
e===!1?"":String(e);function Qt(e){return e.tag===void 0?(e.at=document.createTextNode(e.words),e.at):(e.at=document.createElement(
e.tag),e.at.handlers={},Ee(e.at,{},e.props),P(e.at,[],e.children),e.props.field&&Ae(e.at,e.props.field),e.at)}function Xt(e,t){
return t.at=e.at,t.tag===void 0?(e.words!==t.words&&(t.at.data=t.words),t.at):(Ee(t.at,e.props,t.props),P(t.at,e.children,
t.children),t.props.field&&Ae(t.at,t.props.field),t.at)}var Se=new Set(["key","on","field"]);function Ee(e,t,n){for(let s of Object.
keys(t))!Se.has(s)&&!(s in n)&&e.removeAttribute(s);for(let[s,o]of Object.entries(n))Se.has(s)||t[s]===o||(o==null||o===
!1?e.removeAttribute(s):e.setAttribute(s,o===!0?"":String(o)));for(let s of Object.keys(n.on||{}))s in e.handlers||e.addEventListener(
s,o=>e.handlers[s]?.(o));e.handlers=n.on||{};for(let s of Object.keys(t.on||{}))e.handlers[s]??=void 0}function Ae(e,{value:t,
waiting:n}){n||e.getRootNode().activeElement===e||e.value!==t&&(e.value=t)}var Zt=(e,t)=>e.tag===t.tag&&e.props?.key===t.
props?.key;function P(e,t,n){let s=new Map,o=[];for(let c of t)c.props?.key===void 0?o.push(c):s.set(c.props.key,c);let i=new Set,
a=n.map(c=>{let u=c.props?.key===void 0?o.shift():s.get(c.props.key);return u===void 0||!Zt(u,c)?Qt(c):(i.add(u),Xt(u,c))});
for(let c of t)i.has(c)||c.at.remove();a.forEach((c,u)=>{e.childNodes[u]!==c&&e.insertBefore(c,e.childNodes[u]||null)})}
function U(){let e=document.activeElement;for(;e?.shadowRoot?.activeElement;)e=e.shadowRoot.activeElement;return e}var p=["A","B"],E=e=>e==null?"–":String(Number(e)),B=e=>e==null?"–":Number(e).toFixed(1),Oe=e=>`${Math.round(Number(
e)*100)}%`,g=(e,t,n)=>`${e.toLocaleString("en")} ${e===1?t:n||`${t}s`}`,w=(e,t)=>e.length<=t?e:`${e.slice(0,t/2)} … ${e.
slice(-t/2)}`,en=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g,
l=e=>String(e??"").replace(en,t=>`⟨U+${t.charCodeAt(0).toString(16).toUpperCase().padStart(4,"0")}⟩`);function ce(e){
let t=Math.max(0,Math.round((Date.now()-e)/1e3));return t<60?`${t} s ago`:t<3600?`${Math.floor(t/60)} min ago`:t<86400?`${Math.
floor(t/3600)} h ago`:g(Math.floor(t/86400),"day")+" ago"}function Re({value:e}){return e==null||Array.isArray(e)?"":typeof e==
"boolean"?e?": met":": not met":`: ${l(w(String(e),60))}`}function W({touch:e,shown:t}){if(e==="cannot_judge")return"can\
not judge";let n=Array.isArray(t)?t.map(o=>l(w(o,40))).join(" / "):l(w(String(t??""),60)),s=typeof t=="boolean"?t?"met":
"not met":n||"nothing";return{untouched:`${s} (not confirmed)`,confirmed:`${s} (confirmed)`}[e]??s}var ue=({reason:e,code:t})=>[
t&&l(t),e&&`“${l(w(e,60))}”`].filter(Boolean).join(" ")||"no reason",_e=(e,t)=>e.touch===t.touch&&e.reason===t.reason&&
e.code===t.code&&JSON.stringify(e.shown)===JSON.stringify(t.shown),le={},je=e=>Object.assign(le,e,{reviewer:"set by you"}),
S={disagree:"",same_orders:"",offline_check:"",outcomes:{A:"",B:"",TIE:""},tie:""},Te=e=>Object.assign(S,e),ae={probability:null},
Ce=e=>{ae.probability=e??null},tn=e=>ae.probability===null?`stated confidence ${e}%`:`probability ${Math.round(ae.probability*
100)}% (stated ${e}%)`,j=(e,t)=>t?`${l(w(t[e],40))} (${e})`:e,k=(e,t)=>e==="TIE"?S.tie:`${j(e,t)} wins`,Ne=e=>e?.length?
`${g(e.length,"row")} not assessed`:"",K=({decided_by:e,left_out:t})=>[le[e],Ne(t)].filter(Boolean).join(", ");function he({
decided_by:e,left_out:t}){return[e!=="rubric"&&le[e],Ne(t)].filter(Boolean)}function I(e,t){return e.totals?`${k(e.winner,
t)} ${B(e.totals.A.overall_score)} : ${B(e.totals.B.overall_score)}`:k(e.winner,t)}function Le(e,t){let{judge:n,judgment:s}=e,
o=s?.verdict;if(!e.opened&&n.state==="done")return"hidden until you have answered";if(n.state==="failed")return"the judg\
e failed";if(n.state==="interrupted")return"the judge was interrupted";if(n.state==="waiting")return n.step?l(n.step).toLowerCase():
"the judge has not started";if(n.state==="running")return`the judge is working${n.step?`: ${l(n.step)}`:""}`;if(n.form)return l(
n.form);if(!o)return n.judges?.length?`no verdict, the judges are ${n.settled==="no quorum"?"too few":"inconclusive"}`:"\
no verdict";let i=[I(o,t),...he(o)];return s.self_consistent===!1&&i.push(`its ${S.disagree}`),s.position_consistent===!0&&
i.push(S.same_orders),s.position_consistent===!1&&i.push(n.judges?.length?"a judge's two orders disagree":"its two order\
s disagree"),s.quotes_total&&i.push(`${s.quotes_found} of ${g(s.quotes_total,"quote")} found`),i.push(tn(s.stated_confidence)),
i.join(", ")}var A=e=>e.judge.form?S.offline_check:"judge";function Be(e){let t=[l(e.model)];if(e.input_tokens||e.output_tokens){
let n=e.cached_tokens?` (${e.cached_tokens.toLocaleString("en")} cached)`:"";t.push(`${e.input_tokens.toLocaleString("en")}\
 tokens in${n}, ${e.output_tokens.toLocaleString("en")} out`)}return e.cost!==null&&t.push(`${Number(e.cost).toFixed(4)}\
 ${l(e.currency)}`),e.seconds&&t.push(`${e.seconds.toFixed(1)} s`),t.filter(Boolean).join(" · ")}var H={AB:"A shown fir\
st",BA:"B shown first"};function We(e){let t=e.some(s=>s.repetition>0),n=new Map;for(let s of e){let o=JSON.stringify([s.
value,s.text,s.quotes]);n.set(o,[...n.get(o)??[],s])}return[...n.values()].map(s=>{let o=s.length===e.length&&s.length>1;
return{pass:s[0],who:o?"both orders":s.map(i=>nn(i,t)).join("; ")}})}var nn=(e,t)=>H[e.order]+(t?`, reading ${e.repetition+
1}`:"");function v(e,t){let n=`“${l(w(e.text,400))}”`,s=r("span",{class:"file",title:l(e.file)},l(w(e.file,40)));if(!e.found)
return[r("s",{},n)," ",s," ",r("span",{class:"not-found"},"not found in the output")];if(e.file_id===null)return[r("span",
{},n)," ",s];let o={fileId:e.file_id,label:t,text:e.text,start:e.start,end:e.end},i=()=>window.dispatchEvent(new CustomEvent(
"comparator:show-quote",{detail:o}));return[r("button",{type:"button",class:"quote",title:`Show in output ${t}`,on:{click:i}},
n)," ",s]}var O=e=>`panes-${e.comparisonId}`,Y=new Map;function Ie(e){let t=({detail:s})=>{let o=e();!o?.sheet||s?.place!==O(o)||(Y.
set(s.place,s),o.render())},n=()=>e()?.askWhoAnswers();return window.addEventListener("comparator:notes",t),window.addEventListener(
"comparator:unheard",n),()=>{window.removeEventListener("comparator:notes",t),window.removeEventListener("comparator:unh\
eard",n)}}function De(e){Y.has(O(e))||window.dispatchEvent(new CustomEvent("comparator:notes-wanted",{detail:{place:O(e)}}))}
var Me=(e,t)=>(Y.get(O(e))?.evidence??[]).filter(n=>n.target===t);function de(e,t){let n=t.flatMap(([,s])=>Me(e,s)).length;
return n?` · ${n} of yours`:""}function qe(e,t,n){let s=Me(e,t);if(s.length===0)return null;let o=a=>window.dispatchEvent(
new CustomEvent("comparator:withdraw-evidence",{detail:{id:a.id}})),i=Y.get(O(e)).closed;return r("div",{class:"reading \
own-evidence"},r("p",{},r("span",{class:"order"},"Your evidence")),r("ul",{class:"quotes"},s.map(a=>r("li",{key:`own/${a.
id}`},v({file:a.file,file_id:a.fileId,text:a.text,start:a.start,end:null,found:!0},n)," ",!i&&r("button",{type:"button",
class:"link","aria-label":`Withdraw this evidence: ${l(w(a.text,60))}`,on:{click:()=>o(a)}},"Withdraw")))))}var T={example:["Example judgment","It was written for this example, in the form in which a model answers. No model was \
asked."],flip:["Judge's two orders disagree","The judge preferred one output when A was shown first, and the other when \
B was. Where its readings differ, both values are shown."],split:["Judges disagree","Several judges were asked. Each was\
 reconciled over both orders first:"],addressed:["An output addresses the judge","It was treated as data, not as an inst\
ruction:"],aside:["Files set aside","These files, of either output, are not judged. The reveal shows whose they are."],revealed:[
"Candidates revealed","Changes made now are marked as not blind and left out of blind statistics."],late:["Candidates ar\
e known: your review will not count as blind","They were revealed before you finalised. Blind statistics leave your revi\
ew out."],sides_hidden:["Sides are hidden; you know the candidates","You set this pair up. Which output is whose was dra\
wn by chance. Your review is counted separately, not as blind."],known:["Not blind for you","You know which output is wh\
ose. Your review is counted separately."]},sn="It looks at form only: whether there is an output, whether its files open\
 and parse, and whether the files that the task names are there. It cannot tell right from wrong.",on="no difference in \
form",rn={inconclusive:"inconclusive, its two orders disagree",abstained:"abstained",failed:"failed, or used an earlier \
rubric"},Fe=e=>Object.assign(T,e),an=(e,t)=>e.passes.filter(({answer:n})=>n.first_verdict).map(({order:n,answer:s})=>`Wi\
th ${n[0]} shown first: at first ${k(s.first_verdict,t)}, asked again ${k(s.better,t)}.`);function cn(e,t){let{judge:n,judgment:s}=e,
o=[...new Set((s?.passes??[]).flatMap(({answer:c})=>c.addressed_judge))],i=(c,u,d=[])=>({kind:c,tone:u,name:T[c][0],about:T[c][1],
lines:d.map(h=>l(w(h,400)))}),a=p.flatMap(c=>(e.view_notes?.[c]??[]).map(u=>({kind:`note/${c}`,tone:"warn",name:`${j(c,t)}\
: ${l(w(u,60))}`,about:l(u),lines:[]})));return[n.form&&{kind:"offline",tone:n.form===on?"":"warn",name:`Offline check: ${l(
n.form)}`,about:sn,lines:[]},n.example&&i("example",""),s?.self_consistent===!1&&i("contradicts","warn",an(s,t)),s?.position_consistent===
!1&&i("flip","warn"),n.judges?.some(c=>c.vote!==n.judges[0].vote)&&i("split","warn",n.judges.map(c=>`${c.name}: ${rn[c.vote]??
k(c.vote,t)}`)),o.length>0&&i("addressed","warn",o),...(e.cut_off??[]).map(c=>({kind:`cut/${c}`,tone:"warn",name:T.cut[0].
replace("{}",()=>j(c,t)),about:T.cut[1],lines:[]})),e.void&&i("void","warn"),e.may_reveal&&i("reveals","warn"),...a,e.superseded&&
i("superseded",""),e.aside_of_both?.length>0&&i("aside","",e.aside_of_both),e.revealed&&(e.finalised?i("revealed",""):i(
"late","warn")),e.blindness in T&&!e.revealed&&i(e.blindness,"")].filter(Boolean)}function fe(e){if(!e.sheet)return;let{
judge:t}=e.sheet,n=t.state==="running"||t.state==="waiting"&&!!t.step,s={place:O(e),findings:cn(e.sheet,e.names),step:n?
l(t.step||"The judge is reading both outputs"):""},o=JSON.stringify(s);o!==e.sentFindings&&(e.sentFindings=o,window.dispatchEvent(
new CustomEvent("comparator:findings",{detail:s})))}function Pe(e){let t=()=>{let s=e();s&&(s.sentFindings=null,fe(s))},
n=({detail:s})=>e()?.press(s?.name);return window.addEventListener("comparator:findings-wanted",t),window.addEventListener(
"comparator:command",n),()=>{window.removeEventListener("comparator:findings-wanted",t),window.removeEventListener("comp\
arator:command",n)}}var J={skip:{menu:"Skip",label:"Why do you skip this pair?",done:"Skip it"},flag:{menu:"Flag for discussion",label:"What\
 should be discussed about this pair?",done:"Flag it"},cannot_judge:{menu:"Cannot judge this pair",label:"Why can this p\
air not be judged?",done:"Cannot judge"},outside_expertise:{menu:"Outside my expertise",label:"What expertise does this \
pair need?",done:"Outside my expertise"}},un={skip:"You skipped this pair",flag:"You flagged this pair for discussion",cannot_judge:"\
You cannot judge this pair",outside_expertise:"This pair is outside your expertise"},ln=["a guess","fairly sure","certai\
n"];function Ue(e){return e.sheet.answers.length===0?null:r("div",{class:"banners",key:"given"},e.sheet.answers.map(({id:t,
kind:n,text:s="",at:o})=>r("div",{class:"banner",key:`given/${t}`},r("b",{title:new Date(o).toLocaleString()},`${un[n]}.`),
s&&` ${l(s)}`," ",!e.readOnly&&r("button",{type:"button",class:"link",on:{click:()=>e.press("withdraw",t)}},"Take back"))))}
function Ke(e){let{question:t}=e.ui;switch(t.kind){case"menu":return[...Object.entries(J).map(([n,{menu:s}])=>[s,()=>e.ask(
{kind:"say",name:n})]),e.sheet.blindness!=="known"&&["I know which is which",()=>e.press("knows")]].filter(Boolean);case"\
code":return e.sheet.reason_codes.map(n=>[l(n),()=>hn(e,t.address,n)]);case"guess":return dn(e,t);case"reveal":return[[e.
after.together>1?`Reveal all ${e.after.together}`:"Reveal the candidates",()=>e.press("reveal")]];default:return[]}}function hn(e,t,n){
return e.explain(t,{code:n}),e.closeQuestion()}function dn(e,{then:t}){let n=e.sheet.guess,s=o=>()=>(e.press("guess",o),
e.press(t,"",{guessed:!0}));return n.length===0?[["No",s("")],...["A suspicion","Fairly sure","I am certain"].map((o,i)=>[
o,s(`:${i+1}`)])]:[...n.flatMap(({number:o,text:i})=>ln.map((a,c)=>[`${l(i)}: ${a}`,s(`${o}:${c+1}`)])),["No idea",s("")]]}
var fn=e=>e>1?`${e} comparisons of these two candidates are revealed together. Later changes count as not blind.`:"Later\
 changes count as not blind.";function pn(e){let{question:t}=e.ui;return t.kind==="menu"?"Instead of a verdict:":t.kind===
"code"?"Why?":t.kind==="reveal"?fn(e.after.together):e.sheet.guess.length>0?"Before you go on: which candidate do you th\
ink made output A?":"Before you go on: did anything reveal who made which output?"}function He(e){let{question:t}=e.ui;return t?
t.kind==="say"?mn(e,t):t.kind==="write"?gn(e):t.kind==="scores"?bn(e):r("div",{class:"asking",key:"asking",role:"group",
"aria-labelledby":"bc-asking"},r("b",{id:"bc-asking"},pn(e)),Ke(e).map(([n,s],o)=>r("button",{type:"button",class:"comma\
nd small","data-choice":String(o+1),on:{click:s}},o<9&&r("span",{class:"digit","aria-hidden":"true"},String(o+1)),` ${n}`)),
r("button",{type:"button",class:"link",title:"Escape",on:{click:()=>e.closeQuestion()}},"Cancel")):null}function mn(e,{name:t,
text:n=null}){let{label:s,done:o}=J[t],i=e.sheet.reasons==="required";return pe(e,{name:t,text:n,label:`${s} (${i?"requi\
red":"optional"})`,done:o,needed:i,send:a=>e.press(t,a)})}function gn(e){return pe(e,{name:"write",text:e.after.place,label:"\
Folder on this machine, or file to write",done:"Save both files",needed:!0,lacking:"Enter a folder or a file name.",send:t=>e.
press("write",t)})}function bn(e){let n=`Four whole numbers from 1 to 5: content and structure of A, then of B${e.own("r\
easoning").shown?"":"; then a sentence on why"}. They go into this file only, not into any statistic.`;return pe(e,{name:"\
scores",text:null,label:n,done:"Export comparison.json",needed:!0,lacking:"Write four numbers, such as 4,3,2,3.",send:s=>e.
press("export",s)})}function pe(e,{name:t,text:n,label:s,done:o,needed:i,lacking:a="Give a short reason.",send:c}){let u=()=>{
let h=e.root.querySelector("[data-say]").value.trim();return i&&!h?(e.note=a,e.render()):c(h)},d=h=>{h.isComposing||h.key!==
"Enter"&&h.key!=="Escape"||(h.preventDefault(),h.stopPropagation(),h.key==="Enter"?u():e.closeQuestion())};return r("div",
{class:"asking",key:`say/${t}`},r("input",{type:"text",maxlength:3900,placeholder:s,"aria-label":s,"data-say":t,value:n,
on:{keydown:d}}),r("button",{type:"button",class:"command","data-command":t,on:{click:u}},o),r("button",{type:"button",class:"\
command",on:{click:()=>e.closeQuestion()}},"Cancel"))}function ve(e,t){if(t.key==="Escape")return e.closeQuestion();let n=/^[1-9]$/.
test(t.key)?Ke(e)[Number(t.key)-1]:void 0;return n?(n[1](),!0):/^[0-9]$/.test(t.key)}var wn="Examples",Je="comparator:hints",Ye={read:["1 of 4: Read","Compare A and B. ] opens the next file, and “Task” abo\
ve says what was asked."],score:["2 of 4: Score","Press a, b or = to say which output is better, and type why. Or score \
each criterion: 1 to 5 for A, 6 to 0 for B."],finalise:["3 of 4: Finalise","When all is as you want it, press Ctrl + Shi\
ft + Enter or “Finalise”."],export:["4 of 4: Export","“Export comparison.json” (Ctrl + S) saves the result. “Next” o\
pens the next pair."]};function yn(){try{return localStorage.getItem(Je)===null}catch{return!1}}function kn(e){try{localStorage.
setItem(Je,"dismissed")}catch{}e.ui.hints=!1,e.render()}function xn(e){if(e.sheet.finalised)return"export";if(e.own("win\
ner").touch==="changed")return"finalise";let t=e.rows(),n=t.filter(s=>e.answered(s)).length;return n===0?e.ui.row===e.ui.
firstRow?"read":"score":n<t.length?"score":"finalise"}function Ge(e){if(e.ui.hints??=yn(),!e.ui.hints||e.sheet.project_name!==
wn)return null;e.ui.firstRow??=e.ui.row;let t=xn(e);return r("p",{class:"hint",key:"hint","data-step":t},r("b",{},Ye[t][0]),
` ${Ye[t][1]} `,r("button",{type:"button",class:"link",on:{click:()=>kn(e)}},"Don't show hints again"))}var D=()=>window.innerWidth>=1200,Ve=()=>`comparator:panel:${D()?"rail":"drawer"}`;function Qe(){try{let e=localStorage.
getItem(Ve());if(e!==null)return e==="shown"}catch{}return D()||window.innerHeight>=900}function Xe(e){try{localStorage.
setItem(Ve(),e?"shown":"folded")}catch{}}var R={usual:.4,narrow:.34,below:768,least:.5,panes:.45,rows:120},me=()=>(window.
innerWidth<R.below?R.narrow:R.usual)*window.innerHeight,$n=e=>Math.max(e-me(),Math.min(R.panes*window.innerHeight,e-R.rows)),
G={size:"",top:0};function Sn(e){let t=JSON.stringify([window.innerWidth,window.innerHeight]),n=window.innerHeight-e-G.top;
return(G.size!==t||n<R.least*me()||n>me()/R.least)&&(G={size:t,top:$n(window.innerHeight-e)}),G.top}var Ze=["--bc-rail",
"--bc-drawer","--bc-bar"],En="comparator:room",ze=null;function et(e,t){let n=e.querySelector(".bar"),s=e.querySelector(
".sheet");if(!n||!s||!e.isConnected)return null;let o=D(),i=Math.max(0,Math.round(e.getBoundingClientRect().left)-16);e.
dataset.place=o?"rail":"drawer",n.style.left=`${i}px`,s.style.left=o?"":`${i}px`,s.style.bottom=`${n.offsetHeight}px`,s.
style.top=o||!t?"":`${Sn(n.offsetHeight)}px`;let a={above:s.querySelector("thead")?.offsetHeight??0,below:s.querySelector(
".chosen")?.offsetHeight??0,height:s.offsetHeight};s.style.scrollPadding=`${a.above}px 0 ${a.below}px`;let c={"--bc-bar":n.
offsetHeight,"--bc-rail":t&&o?s.offsetWidth:0,"--bc-drawer":t&&!o?s.offsetHeight:0};On(c);let u=JSON.stringify({...An(),
taken:c});if(u===ze)return a;ze=u;try{localStorage.setItem(En,u)}catch{}return a}var An=()=>({width:window.innerWidth,height:window.innerHeight});function On(e){for(let t of Ze)document.documentElement.
style.setProperty(t,`${Number(e[t])}px`)}function tt(){for(let e of Ze)document.documentElement.style.removeProperty(e)}var nt=[1,2,3,4,5],st=(e,t)=>t>=e?"full":t>=e-.5?"half":"none";function ot(e){return r("span",{class:"absent",title:`The\
 ${e} has not assessed this. It counts only if you score both A and B.`},"not assessed")}function rt(e,t,n){if(!e)return r(
"span",{class:"absent",title:`The ${n} gave no score`},"–");if(e.score===null)return ot(n);let s=Number(e.score),i=["A\
B","BA"].map(u=>e.by_pass.filter(d=>d.order===u).map(d=>d.value)).flat(),a=new Set(i).size>1,c=a?`${n}: ${E(s)}; ${e.by_pass.
map(u=>`${H[u.order]}: ${u.value}`).join(", ")}`:`${n}: ${E(s)}`;return r("span",{class:`value judge ${t}`,title:a?c:null},
r("span",{class:"steps","aria-hidden":"true"},nt.map(u=>r("i",{class:`step ${st(u,s)}`}))),r("b",{class:a?"figure differ":
"figure","aria-hidden":"true"},a?i.join(" | "):E(s)),r("span",{class:"spoken"},c))}function it(e,t,n){if(!e)return r("sp\
an",{class:"absent",title:`The ${n} did not check this`},"–");if(e.passed===null)return ot(n);let s=e.by_pass.map(a=>a.
value),o=new Set(s).size>1,i=o?`${n}: not met, its readings differ: ${e.by_pass.map(a=>`${H[a.order]}: ${a.value?"met":"\
not met"}`).join(", ")}`:`${n}: ${e.passed?"met":"not met"}`;return r("span",{class:`value judge ${t}`,title:o?i:null},r(
"b",{class:o?"check differ":"check","aria-hidden":"true"},o?s.map(a=>a?"✓":"✗").join(" | "):e.passed?"✓":"✗"),r(
"span",{class:"spoken"},i))}var at={untouched:"not confirmed yet",confirmed:"confirmed",changed:"changed by you",cannot_judge:"\
you cannot judge this"};function ct(e,{address:t,name:n,label:s,choices:o,current:i,touch:a,chosen:c}){let u=o.find(d=>d.
value===i)||o[Math.ceil(o.length/2)-1];return r("span",{class:"steps",role:"radiogroup","aria-label":`${n}, output ${s},\
 your ${o.length>2?"score":"answer"}, ${at[a]}`,"aria-disabled":e.readOnly?"true":null},o.map(d=>r("button",{type:"butto\
n",role:"radio",class:`step ${d.look}`,"aria-checked":c&&d.value===i?"true":"false","aria-label":d.name,"data-address":t,
title:d.title,tabindex:d===u?"0":"-1",disabled:e.readOnly,on:{click:()=>e.choose(t,d.value)}},r("i",{"aria-hidden":"true"},
d.glyph))))}function ut(e,{address:t,name:n,label:s,own:o,judged:i}){let{touch:a}=o,c=`${n}, output ${s}`;if(a==="untouc\
hed"){let h=!e.readOnly&&i!==null&&i!==void 0;return r("button",{type:"button",class:"mark",tabindex:"-1",disabled:!h,title:h?
"Confirm the judge's value (Enter confirms the row)":null,"aria-label":`Confirm ${c}`,on:{click:()=>e.confirm([t])}},"✓")}
let u=a==="changed"&&typeof i=="number"?Number(o.shown)-i:0,d=a==="confirmed"?"✓":a==="cannot_judge"?"?":u>0?`+${E(u)}`:
u<0?`−${E(-u)}`:i===o.shown?"=":o.blind||i===null?"•":"≠";return r("button",{type:"button",class:`mark ${a}`,tabindex:"\
-1",disabled:e.readOnly,title:`${at[a]}; take it back (Delete)`,"aria-label":`Take back ${c}`,on:{click:()=>e.clear(t)}},
d)}function z(e,t,n){let s=`score:${n}:${t.path}`,o=e.own(s),i=o.shown===null?0:Number(o.shown),a={1:t.anchors.poor,3:t.
anchors.acceptable,5:t.anchors.excellent},c=e.judged(s),u=nt.map(d=>({value:d,name:String(d),look:st(d,i),title:a[d]?`${d}\
: ${l(a[d])}`:String(d),glyph:""}));return r("span",{class:`value own ${n} ${o.touch}`},ct(e,{address:s,name:l(t.name),label:n,
choices:u,current:i,touch:o.touch,chosen:o.touch!=="untouched"&&o.touch!=="cannot_judge"}),r("b",{class:"figure","aria-h\
idden":"true"},o.shown===null?"–":E(i)),ut(e,{address:s,name:l(t.name),label:n,own:o,judged:c}))}function V(e,t,n){let s=`\
expectation:${n}:${t.index}`,o=e.own(s),i=e.judged(s),a=[!0,!1].map(c=>({value:c,name:c?"met":"not met",title:c?"Met":"N\
ot met",glyph:c?"✓":"✗",look:o.shown===c?"full":"none"}));return r("span",{class:`value own check ${n} ${o.touch}`},
ct(e,{address:s,name:`Expectation ${t.index+1}`,label:n,choices:a,current:o.shown,touch:o.touch,chosen:o.touch==="confir\
med"||o.touch==="changed"}),ut(e,{address:s,name:`expectation ${t.index+1}`,label:n,own:o,judged:i}))}var _=e=>r("span",{class:`letter ${e}`},e);function lt(e){let{sheet:t}=e,n=[["content","Content"],["structure","Structur\
e"]];return r("table",{class:"scores",key:"scores"},r("caption",{class:"spoken"},`Scores of both outputs, the ${A(t)}'s \
and yours. 1 to 5 scores output A, 6 to 0 output B.`),ht(e,"Criterion",Rn(e.sheet)),n.map(([s,o])=>r("tbody",{key:s},r("\
tr",{class:"group",key:"head"},r("th",{colspan:6,scope:"rowgroup"},o)),e.criteria.filter(i=>i.dimension===s).flatMap(i=>jn(
e,i)),ge(`${o} score`,t,(i,a)=>B(i.totals?.[a][`${s}_score`]),{of:ft(e,e.criteria.filter(i=>i.dimension===s).map(i=>i.path))}))),
r("tbody",{key:"overall",class:"overall"},ge("Overall",t,(s,o)=>B(s.totals?.[o].overall_score),{unit:"of 10"})))}var Rn=e=>e.
rubric_version===null?null:`Rubric version ${e.rubric_version}${e.rubric_author?`, written by ${l(e.rubric_author)}`:""}`,
_n=(e,t)=>r("th",{colspan:2,scope:"colgroup",class:`side ${e}`,title:t?l(t):null},_(e),t?` · ${l(t)}`:` Output ${e}`);function ht(e,t,n=null){
let s=p.map(i=>_n(i,e.names?.[i])),o=p.flatMap(i=>[r("th",{scope:"col",class:`judge ${i}`},e.sheet.judge.form?"":"judge"),
r("th",{scope:"col",class:`you ${i}`},"you")]);return r("thead",{key:"head"},r("tr",{},r("th",{rowspan:2,scope:"col",class:"\
name",title:n},t),s,r("th",{rowspan:2,scope:"col",class:"why"},e.sheet.reasons==="off"?"":"Why")),r("tr",{},o))}var dt=(e,t)=>p.
filter(n=>e.own(e.addressOf(t,n)).shown!==null);function ft(e,t){let n=t.filter(s=>dt(e,s).length===p.length);return n.length&&
n.length<t.length?`from ${n.length} of ${g(t.length,"row")}`:""}var pt=(e,t)=>e.readOnly&&dt(e,t).length===1,mt=(e,t)=>pt(
e,t)&&r("span",{class:"absent",title:"Only one output has a value here, so the row is not in the result."}," left out");
function ge(e,t,n,{of:s="",unit:o=""}={}){let i=(a,c,u)=>r("td",{class:`${c} ${u}`,"data-who":c==="judge"?A(t):c},r("b",
{class:"figure"},a?n(a,u):"–"));return r("tr",{class:"foot",key:"foot"},r("th",{scope:"row",class:"name"},e,s&&[" ",r(
"span",{class:"absent"},s)]),p.map(a=>[i(t.judgment?.verdict,"judge",a),i(t.verdict,"you",a)]),r("td",{class:"why"},o))}
function gt(e,t,n,s){let o=A(e.sheet);return r("td",{class:`judge ${t}`,"data-who":o},n(s.judge&&s.judge[t],t,o))}function jn(e,t){
let n=t.path,s=l(t.name),o={sides:p.map(i=>[i,`score:${i}:${t.path}`]),name:s,unfolds:bt(t,"rationale")};return[r("tr",wt(
e,n),r("th",{scope:"row",class:"name",title:l(t.description)||null},r("span",{class:"label"},s),mt(e,n),yt(e,"anchors",n,
{label:`What 1, 3 and 5 mean for ${s}`,face:"i",look:"info"})),p.map(i=>[gt(e,i,rt,t),r("td",{class:`you ${i}`},z(e,t,i))]),
kt(e,n,o)),xt(e,n,o),e.ui.anchors.has(n)&&r("tr",{class:"unfolded",key:`${n}/anchors`},r("td",{colspan:6},Tn(t))),e.ui.open.
has(n)&&$t(e,n,t)].filter(Boolean)}function bt(e,t){if(!e.judge)return"more";let n=p.flatMap(s=>e.judge[s].by_pass.flatMap(
o=>o.quotes)).length;return n?`${t} · ${g(n,"quote")}`:t}function wt(e,t){return{class:["row",e.ui.row===t&&"here",pt(e,
t)&&"left-out"].filter(Boolean).join(" "),key:t,"data-row":t,on:{pointerdown:()=>e.pointerDown(),focusin:()=>e.pressing||
e.enter(t),click:()=>e.enter(t)}}}function yt(e,t,n,{label:s,face:o,look:i}){let a=e.ui[t].has(n);return r("button",{type:"\
button",class:i,"aria-expanded":a?"true":"false","aria-label":s,title:s,on:{click:()=>e.unfold(t,n)}},o)}function Tn(e){
let t=[[1,e.anchors.poor],[3,e.anchors.acceptable],[5,e.anchors.excellent]];return r("div",{class:"anchors"},e.description&&
r("p",{class:"about"},l(e.description)),t.map(([n,s])=>r("p",{},r("b",{class:"figure"},n)," ",l(s))))}function kt(e,t,{sides:n,
name:s,unfolds:o}){let i=[r("span",{class:"fold","aria-hidden":"true"}),o,de(e,n)];return r("td",{class:"why"},yt(e,"ope\
n",t,{label:`${o}${de(e,n)}: ${s}`,face:i,look:"link"}))}function xt(e,t,{sides:n,name:s}){let o=n.map(([i,a])=>e.wantsReason(
a)&&M(e,a,{label:i,name:`${s}, output ${i}`})).filter(Boolean);return o.length===0?null:r("tr",{class:"because",key:`${t}\
/because`,"data-because":t,on:{focusin:()=>e.enter(t)}},r("td",{colspan:6},o))}function M(e,t,{label:n,name:s}){let o=e.
own(t),i=e.sheet.reasons==="required",a=i&&!o.reason.trim()&&!o.code,c=e.sheet.reason_codes;return r("div",{class:a?"rea\
son missing":"reason",key:`reason/${t}`},n&&_(n),c.length>0&&r("select",{"aria-label":`Kind of reason, ${s}`,disabled:e.
readOnly,field:{value:o.code,waiting:!1},on:{change:u=>e.explain(t,{code:u.target.value})}},r("option",{value:""},"Kind…"),
c.map(u=>r("option",{value:u},l(u)))),r("textarea",{rows:1,maxlength:4e3,placeholder:i&&!o.code?"Reason (required)":"Rea\
son (optional)","aria-label":`Reason, ${s}`,"aria-required":i?"true":null,"aria-invalid":a?"true":null,"data-reason":t,readonly:e.
readOnly||e.leaving,field:{value:o.reason,waiting:e.waits(t)},on:{input:u=>e.explain(t,{reason:u.target.value},{typing:!0}),
blur:()=>e.flush(),keydown:u=>Cn(e,u)}}))}function Cn(e,t){t.isComposing||t.key!=="Escape"&&(t.key!=="Enter"||t.shiftKey||
t.ctrlKey||t.metaKey)||(t.preventDefault(),t.stopPropagation(),e.flush(),e.focusRow(e.currentRow(),t.target.dataset.reason.
includes(":B:")?"B":"A"))}function $t(e,t,n){return r("tr",{class:"unfolded",key:`${t}/open`},r("td",{colspan:6},St(e,t,
n)))}var Nn=e=>e??"not assessed",Ln=e=>e===null?"not assessed.":e?"met.":"not met.";function St(e,t,n){let s=t.startsWith(
"expectation.")?Ln:Nn;return r("div",{class:"halves"},p.map(o=>{let i=e.addressOf(t,o);return r("section",{class:o,"aria\
-label":`Output ${o}`},r("div",{class:"half-head"},_(o),Bn(e,i,`${l(n.name||n.text)}, output ${o}`)),n.judge?Wn(n.judge[o],
o,s):r("p",{class:"absent"},e.sheet.opened?"No rationale from the judge yet.":"The judge's rationale opens after you hav\
e answered."),qe(e,i,o))}))}function Et(e){let t=e.currentRow(),n=e.lineOf(t);return!n?.judge||!D()||e.ui.open.has(t)?null:
r("aside",{class:"chosen",key:"chosen","aria-label":`Rationale: ${l(n.name||n.text)}`},r("h3",{},l(n.name||n.text)),St(e,
t,n))}function Bn(e,t,n){if(e.readOnly)return null;let s=e.own(t),o=(i,a,c)=>r("button",{type:"button",class:"link","ari\
a-label":`${i}: ${n}`,"aria-pressed":c===void 0?null:String(c),on:{click:a}},i);return[e.judged(t)!==null&&s.touch!=="co\
nfirmed"&&o("Confirm",()=>e.confirm([t])),o("Cannot judge",()=>s.touch==="cannot_judge"?e.clear(t):e.cannotJudge(t),s.touch===
"cannot_judge"),s.touch!=="untouched"&&o("Take back",()=>e.clear(t))]}function Wn(e,t,n){return We(e.by_pass).map(({pass:s,
who:o})=>r("div",{class:"reading"},r("p",{},r("span",{class:"order"},`${o}: `),r("b",{class:"figure"},n(s.value))," ",l(
s.text)),s.quotes.length>0&&r("ul",{class:"quotes"},s.quotes.map(i=>r("li",{},v(i,t))))))}function At(e){let{sheet:t}=e;
return e.expectations.length===0?null:r("table",{class:"scores expectations",key:"expectations"},r("caption",{class:"spo\
ken"},`Which expectations each output meets, by the ${A(t)} and by you.`),ht(e,"Expectation"),r("tbody",{},r("tr",{class:"\
group",key:"head"},r("th",{colspan:6,scope:"rowgroup"},"Expectations")),e.expectations.flatMap(n=>In(e,n)),ge("Pass rate",
t,(n,s)=>n.pass_rates?Oe(n.pass_rates[s]):"–",{of:ft(e,e.expectations.map(n=>`expectation.${n.index}`))})))}function In(e,t){
let n=`expectation.${t.index}`,s={sides:p.map(o=>[o,`expectation:${o}:${t.index}`]),name:`expectation ${t.index+1}`,unfolds:bt(
t,"evidence")};return[r("tr",wt(e,n),r("th",{scope:"row",class:"name"},r("span",{class:"label"},l(t.text)),mt(e,n)),p.map(
o=>[gt(e,o,it,t),r("td",{class:`you ${o}`},V(e,t,o))]),kt(e,n,s)),xt(e,n,s),e.ui.open.has(n)&&$t(e,n,t)].filter(Boolean)}var Q=[["A_MUCH","A much better"],["A","A better"],["SAME","The same"],["B","B better"],["B_MUCH","B much better"]];function be(e,t){
return(Q.find(([s])=>s===e)?.[1]??"").replace(/^[AB](?= )/,s=>j(s,t))}function Ot(e){if(!e.sheet.preference)return null;
let t=e.own("preference"),n=t.touch==="changed"?t.shown:null,s=n??"SAME";return r("section",{class:e.ui.row==="preferenc\
e"?"preference here":"preference",key:"preference","data-row":"preference",on:{focusin:()=>e.enter("preference"),click:()=>e.
enter("preference")}},r("h3",{id:"bc-preference"},"Which output does the task better?"),r("div",{class:"choices",role:"r\
adiogroup","aria-labelledby":"bc-preference"},Q.map(([o,i],a)=>r("button",{type:"button",role:"radio",class:`choice ${o[0]===
"S"?"TIE":o[0]}`,"data-address":"preference","aria-checked":String(n===o),tabindex:o===s?"0":"-1",title:`Key ${a+1}`,disabled:e.
readOnly,on:{click:()=>e.answerPreference(o)}},r("span",{class:"digit","aria-hidden":"true"},String(a+1)),` ${i}`))),n&&
M(e,"preference",{label:null,name:"which output is better"}),r("button",{type:"button",class:"link","aria-expanded":String(
e.showsCriteria),title:"Key h",on:{click:()=>e.toggleCriteria()}},r("span",{class:"fold","aria-hidden":"true"}),e.showsCriteria?
"Hide the criteria":`Score the ${g(e.criteria.length,"criterion","criteria")} too (optional)`))}function _t(e){let{sheet:t}=e,{judge:n}=t,s=[];n.state!=="done"&&s.push(Dn(e,n)),e.restarted&&s.push(r("div",{class:"ban\
ner bad",role:"alert",key:"restarted"},r("b",{},"Your session on the server has ended.")," Your changes are kept. Reload\
 to continue. ",r("button",{type:"button",class:"command small",on:{click:()=>location.reload()}},"Reload"))),e.trouble&&
s.push(r("div",{class:"banner bad",role:"alert",key:"trouble"},r("b",{},"Not saved yet."),` ${l(e.trouble)} Your changes\
 are kept in this browser and will be sent again.`));for(let[o,i]of e.refusals)s.push(r("div",{class:"banner bad",role:"\
alert",key:`refused/${o}`},`Not stored: ${l(i)} `,r("button",{type:"button",class:"link",on:{click:()=>e.dismiss(o)}},"D\
ismiss")));return r("div",{class:"banners",key:"banners"},s)}function Dn(e,t){let n={failed:["bad","The judge failed."],
interrupted:["bad",t.problem?l(t.problem):"The judge was interrupted."],waiting:["",t.step?`${l(t.step)} …`:"The judge\
 has not started."],running:["",`The judge is working${t.step?`: ${l(t.step)}`:""} …`]}[t.state],s=t.state==="failed"||
t.state==="interrupted",o=s||t.state==="waiting"&&!t.step;return r("div",{class:`banner ${n[0]}`,key:"judge",role:s?"ale\
rt":"status"},r("b",{},n[1]),t.state!=="interrupted"&&t.problem&&` ${l(t.problem)}`,o&&" You can score without it. ",o&&
x(e,"retry",s?"Retry":"Judge",{look:"small"}))}function x(e,t,n,{look:s="",title:o=null,disabled:i=!1}={}){let a=e.command?.
name===t;return r("button",{type:"button",class:`command ${s}`,"data-command":t,title:o,disabled:i,"aria-busy":a?"true":
null,on:{click:()=>e.press(t)}},n)}function jt(e){let{sheet:t}=e,n=Le(t,e.names);return r("div",{class:"bar",key:"bar",role:"\
region","aria-label":"Decision"},Fn(e),!(e.rowSeen&&e.ui.shown)&&Mn(e),r("div",{class:"line"},r("div",{class:"summary"},
r("span",{class:"who",title:[n,t.judge.form?"":Be(t.judge)].filter(Boolean).join(" · ")},r("span",{class:"tag outline"},
A(t)),` ${n}`),r("span",{class:"who",title:Rt(e)},r("span",{class:"tag solid"},"you")," ",t.finalised?Un(e):Rt(e))),t.finalised?
Kn(e):Pn(e)))}function Tt(e){return r("button",{type:"button",class:"command","data-toggle":"scores",title:"Show or hide\
 the scores (p)","aria-expanded":String(e.ui.shown),"aria-controls":"bc-scores",on:{click:()=>e.toggleSheet()}},e.ui.shown?
"Hide scores":"Scores")}function Mn(e){let t=e.currentRow();if(t==="preference"&&!e.readOnly)return qn(e);let n=e.criteria.
find(a=>a.path===t),s=e.expectations.find(a=>`expectation.${a.index}`===t);if(e.readOnly||!(n||s))return null;let o=a=>[
_(a),n?z(e,n,a):V(e,s,a)],i=l(n?n.name:s.text);return r("div",{class:"strip",key:"strip",title:i},r("button",{type:"butt\
on",class:"link",title:"Show this row",on:{click:()=>e.focusRow(t,"A")}},i),p.map(o))}function qn(e){let t=be(e.own("pre\
ference").shown,e.names);return r("div",{class:"strip",key:"strip"},r("button",{type:"button",class:"link",title:"Show t\
he question",on:{click:()=>e.focusRow("preference","A")}},t||"Which output does the task better? 1 A much better … 5 B m\
uch better"))}function Rt(e){let{sheet:t}=e,n=e.addresses().map(c=>e.own(c).touch),s=c=>n.filter(u=>u===c).length;if(!t.
opened&&!t.preference&&e.lacking().length>0)return`${g(e.lacking().length,"score")} to give before the judge's scores op\
en`;if(t.preference&&e.own("preference").touch==="untouched")return"no answer yet";if(t.preference&&!t.verdict)return be(
e.own("preference").shown,e.names);if(!t.verdict)return`${g(t.missing.length,"value is","values are")} not assessed`;let o=[
[I(t.verdict,e.names),...he(t.verdict)].join(", ")],i=["changed","confirmed"].filter(s).map(c=>`${s(c)} ${c}`);i.length&&
o.push(i.join(", ")),s("cannot_judge")&&o.push(`${s("cannot_judge")} cannot judge`);let a=e.addresses().map(c=>e.own(c)).
filter(({touch:c,shown:u})=>c==="untouched"&&u!==null).length;return a&&o.push(`${g(a,"value")} not confirmed`),o.join("\
 · ")}function Fn(e){let{sheet:t}=e,n=[];return e.leaving?n.push(r("p",{class:"note",role:"status",key:"leaving"},`${e.
ending} … Keys are off until that is done.`)):e.note&&n.push(r("p",{class:"note",role:"status",key:"note"},l(e.note),e.
offer?.note===e.note&&[" ",r("button",{type:"button",class:"link",on:{click:()=>e.offer.act()}},"Undo")])),!t.finalised&&
t.problems.length>0&&n.push(r("div",{class:e.ui.pressed?"problems pressed":"problems",role:"status",key:"problems"},r("s\
pan",{},r("b",{},"Before finalising: "),l(t.problems.join(" "))),r("button",{type:"button",class:"link",on:{click:()=>e.
showObstacle()}},"show me"))),n.push(He(e)),e.ui.question||n.push(Ge(e)),r("div",{class:"obstacles"},n)}function F(e){return e.
outbox.items.length>0?e.offline||e.trouble?"not saved yet, will be sent again":"saving…":e.offline?"no connection to t\
he server":e.savedAt?`saved ${ce(e.savedAt)}`:""}function Ct(e){let t=e.offline||e.trouble!=="";return r("span",{class:t?
"saved trouble":"saved",role:"status","aria-live":t?"polite":"off","data-waiting":String(e.outbox.items.length),title:e.
savedAt?new Date(e.savedAt).toLocaleString():null},F(e))}function Pn(e){let{sheet:t}=e;return r("div",{class:"actions"},
Ct(e),Tt(e),x(e,"undo","Undo",{title:"Take back your last change (z)",disabled:!t.undoable&&e.outbox.items.length===0}),
q(e,{kind:"say",name:"skip"},"Skip","Leave this pair for later, or for another reviewer (q 1)"),q(e,{kind:"menu"},"More…",
"Flag for discussion, cannot judge, outside my expertise, I know which is which (q)"),e.showsCriteria&&t.opened&&r("butt\
on",{type:"button",class:"command",title:"Confirm all remaining values of the judge (c)",disabled:e.untouched().length===
0,on:{click:()=>e.confirmRest()}},"Confirm the rest"),r("button",{type:"button",class:"command",title:"Keys (?)","aria-l\
abel":"Keys",on:{click:()=>e.showKeys()}},"?"),!t.opened&&x(e,"open_judge","Open the judge's scores",{look:C(e)?"primary":
"",title:C(e)?"Ctrl + Enter, or r":"r"}),x(e,"finalise","Finalise",{title:"Ctrl + Shift + Enter"}),x(e,"finalise_next","\
Finalise and open next",{look:C(e)?"":"primary",title:C(e)?null:"Ctrl + Enter"}))}var C=e=>!e.sheet.opened&&!e.sheet.preference&&
e.own("winner").touch!=="changed";function q(e,t,n,s){let o=e.ui.question,i=o!==null&&o.kind===t.kind&&o.name===t.name;return r(
"button",{type:"button",class:"command","data-ask":t.name||t.kind,title:s,"aria-expanded":String(i),on:{click:()=>e.ask(
t)}},n)}function Un(e){let t=e.sheet.versions.at(-1);return r("span",{class:"decided"},r("b",{},t?`Finalised: ${k(t.winner,
e.names)}`:"Finalised"),t?`, ${Nt(t)}${Lt(e,t)}.`:".")}var Nt=({decided_by:e,verdict:t})=>K({decided_by:e,left_out:t?.left_out});
function Lt(e,{changed:t,decided_by:n}){return e.sheet.judge.form?"":t===0?n==="reviewer"?"":"; no value changed":`; ${g(
t,"value")} changed from the judge's`}function Kn(e){return r("div",{class:"actions"},Tt(e),Ct(e),x(e,"reopen","Reopen"),
e.sheet.verdict&&!e.sheet.verdict.totals?q(e,{kind:"scores"},"Export comparison.json…","Enter the four scores that com\
parison.json needs, then download it"):x(e,"export","Export comparison.json",{title:"Download the scores, the winner and\
 the reasoning"}),x(e,"export_provenance","Export provenance",{title:"Download what is behind the result: the judge, the\
 rubric, each change and its author"}),e.after?.place!==null&&e.after&&q(e,{kind:"write"},"Save to a folder…","Save co\
mparison.json and its provenance to a folder on this machine"),e.after?.together>0&&q(e,{kind:"reveal"},"Reveal","Show w\
hich candidate made which output"),x(e,"next","Next",{look:"primary",title:"Open the next comparison (Ctrl + Enter)"}))}
function Bt(e){let{versions:t,finalised:n}=e.sheet;return t.length===0?null:r("div",{class:"history",key:"history"},r("h\
3",{},"Versions"),r("ol",{reversed:!0},t.toReversed().map(s=>{let o=new Date(s.at);return r("li",{value:s.number},r("spa\
n",{title:o.toLocaleString()},ce(o.getTime())),`: ${k(s.winner,e.names)}, ${Nt(s)}${Lt(e,s)}`,s.unblinded&&", after the \
reveal")})),!n&&r("p",{class:"absent"},"Reopened. These versions stay; finalising adds another."))}var Hn=[["j k, ↓ ↑","next, previous row (arrows while the table has the focus)"],["1 … 5","score output A"],["6 … \
9 0, or Shift + 1 … 5","score output B from 1 to 5"],["Space, Shift + Space","expectation met or not: A, B"],["← →",
"move between the steps; Space chooses"],["Enter","confirm the row and go on"],["a, b, =","which output is better: A, B,\
 the same; then type why"],["c","confirm all other values that the judge gave"],["p","show or hide the scores"],["n, Shi\
ft + N","cannot judge: A, B"],["Delete, Shift + Delete","clear a value: A, B"],["o","unfold the rationale"],["i","what 1\
, 3 and 5 mean"],["e, Shift + E","write the reason: A, B; Enter or Escape goes back to the table"],["t","write the reaso\
ning; Escape goes back to the table"],["y, Shift + Y","choose the kind of reason by its digit: A, B"],["q","skip, flag, \
cannot judge, outside my expertise, I know which is which"],["z","undo"],["Ctrl + Enter","finalise and open next; where \
you scored blind, first open the judge's scores"],["Ctrl + Shift + Enter","finalise and stay here"],["Ctrl + S","export \
comparison.json once the review is finalised"],["s (on the queue)","start reviewing, or go on"],["?","this list; Escape \
closes it"]],vn=[["a, b, =","A better, B better, the same; then type why"],["1 … 5","A much better, A better, the same\
, B better, B much better"],["h","show or hide the criteria"]],Yn=[["r","open the judge's scores"]],Jn=[["[ ]","previous\
, next file"],["f, /","list of files, search"],["x","mark the file as viewed"],["w","which side is shown: both, A, B"],[
"g, Shift + G","into output A, B: arrows, Page Down and Space scroll it; all keys work there as well"],["s","as it looks\
, or its source"],["d","differences"],["l","scroll both together, or each alone"],[", .","previous, next place found, or\
 change"],["v","attach the selected words to a criterion as evidence"],["m","comment on the file or the selected words"],
["+ − |","larger, smaller, fit"]],Gn=new Set(["text","search","email","number","password","tel","url","date","time","d\
atetime-local","month","week"]);function $(e){return e instanceof Element?e instanceof HTMLElement&&e.isContentEditable||
e.closest("[contenteditable=true], [role=textbox], [role=combobox], [role=grid]")?!0:e.tagName==="TEXTAREA"||e.tagName===
"SELECT"||e instanceof HTMLInputElement&&Gn.has(e.type):!1}var Wt=()=>document.querySelector("[role=dialog], dialog[open\
]")!==null;function Mt(e){let t=/^Digit([1-5])$/.exec(e.code||"");return e.shiftKey&&t?{label:"B",score:Number(t[1])}:/^[1-5]$/.
test(e.key)?{label:"A",score:Number(e.key)}:/^[6-9]$/.test(e.key)?{label:"B",score:Number(e.key)-5}:e.key==="0"?{label:"\
B",score:5}:null}function It(e,t,n){if(e.dialog?.open)return!1;if(t.key==="Enter"&&(t.ctrlKey||t.metaKey))return e.leaving?
!0:(e.flush(),e.ui.question?.kind==="guess"?e.focusQuestion():(e.press(e.sheet.finalised?"next":C(e)?"open_judge":t.shiftKey?
"finalise":"finalise_next"),!0));if(t.key==="s"&&(t.ctrlKey||t.metaKey)&&e.sheet.finalised)return e.sheet.verdict?.totals===
null?e.ask({kind:"scores"}):e.press("export");if(t.ctrlKey||t.metaKey||t.altKey||$(n)&&!n.readOnly)return!1;if(e.ignores(
t)||e.ui.question&&ve(e,t))return!0;if(e.readOnly&&!e.leaving&&(Mt(t)||/^([abceny=]|Delete)$/i.test(t.key)))return e.tellClosed();
if($(n))return!1;if(t.key==="?")return e.showKeys();let s=t.key==="j"||n&&t.key==="ArrowDown";return s||t.key==="k"||n&&
t.key==="ArrowUp"?e.moveRow(s?1:-1,n):t.key==="o"||t.key==="i"?e.showRow(e.currentRow(),e.unfold(t.key==="o"?"open":"anc\
hors",e.currentRow())):t.key==="h"?e.toggleCriteria():t.key==="p"?e.toggleSheet():t.key==="d"?(window.dispatchEvent(new CustomEvent(
"comparator:toggle-differences")),!0):n&&n.getAttribute("role")==="radio"&&n.dataset.address&&(t.key==="ArrowLeft"||t.key===
"ArrowRight")?e.moveStep(t.key==="ArrowRight"?1:-1,n):e.readOnly?!1:zn(e,t,n)}function zn(e,t,n){let s=e.currentRow(),o=n?.
tagName==="BUTTON"&&n.getAttribute("role")!=="radio",i=t.shiftKey?"B":"A",a=Mt(t);if(a)return e.scoreRow(s,a.label,a.score);
switch(t.key){case"Enter":return o?!1:e.confirmRow(s);case" ":return o||!s.startsWith("expectation.")?!1:e.toggleCheck(s,
n?.dataset.address?.startsWith("expectation:B")?"B":i);case"a":case"b":return e.answerBetter(t.key.toUpperCase());case"=":
return e.answerBetter("TIE");case"c":return e.confirmRest();case"n":case"N":return s==="preference"?e.ask({kind:"say",name:"\
cannot_judge"}):e.showRow(s,e.cannotJudge(e.addressOf(s,i)));case"Delete":return e.showRow(s,e.clear(e.addressOf(s,i)));case"\
e":case"E":return e.focusReason(s,i);case"y":case"Y":return e.askCode(s,i);case"t":return e.focusReasoning();case"q":return e.
ask({kind:"menu"});case"r":return e.sheet.opened?!1:e.press("open_judge");case"z":return e.press("undo");default:return!1}}
function qt(e){let t=null,n=a=>{let c=e(),u=a.composedPath()[0];if(a.defaultPrevented||a.isComposing||!c?.visible()||Wt())
return null;if(a.composedPath().includes(c.root))return c;let d=a.key==="Enter"&&(a.ctrlKey||a.metaKey),h=u instanceof Element&&
u.closest("button, a, summary, [role=button], [role=tab]");return $(u)||h&&/^(Enter| |Arrow.*)$/.test(a.key)&&!d?null:c},
s=a=>{if(a.ctrlKey||a.metaKey||a.altKey||$(a.composedPath()[0]))return;let c=n(a);!c||c.dialog?.open||!c.ignores(a)||(a.
preventDefault(),a.stopImmediatePropagation())},o=a=>{if(t=null,a.repeat&&!/^(Arrow|[jk]$)/.test(a.key))return;let c=n(a),
u=c&&a.composedPath().includes(c.root);c&&(c.byKeys=!0),c&&It(c,a,u?a.composedPath()[0]:null)&&a.preventDefault()},i=({detail:a})=>{
t=a,setTimeout(()=>{let c=e();t!==a||typeof a?.key!="string"||a.key===" "||!c?.visible()||Wt()||It(c,a,null)})};return window.
addEventListener("keydown",s,!0),document.addEventListener("keydown",o),window.addEventListener("comparator:key",i),()=>{
window.removeEventListener("keydown",s,!0),document.removeEventListener("keydown",o),window.removeEventListener("compara\
tor:key",i)}}var Dt=e=>r("dl",{},e.map(([t,n])=>r("div",{},r("dt",{},t),r("dd",{},n))));function Ft(e){return r("dialog",
{key:"keys",class:"keys","aria-labelledby":"bc-keys",on:{click:t=>t.target===t.currentTarget&&t.target.close()}},r("h3",
{id:"bc-keys",tabindex:"-1",autofocus:!0},"Keys"),r("div",{class:"lists"},Dt([...e.sheet.preference?vn:[],...e.sheet.opened?
[]:Yn,...Hn]),r("div",{},r("h4",{},"Outputs"),Dt(Jn))),r("button",{type:"button",class:"command",on:{click:()=>e.dialog.
close()}},"Close"))}var Ut=e=>e.touch==="changed"?"edited by you":e.touch==="confirmed"?"confirmed":"";function Kt(e){let{sheet:t}=e,n=s=>r(
"section",{class:s,"aria-label":`Output ${s}`},r("h4",{},_(s),` Output ${s}`),Pt(e,`strengths:${s}`,"Strengths",`Strengt\
hs of output ${s}`),Pt(e,`weaknesses:${s}`,"Weaknesses",`Weaknesses of output ${s}`));return r("div",{class:"prose",key:"\
prose"},r("h3",{},"Strengths and weaknesses"),r("div",{class:"halves"},p.map(n)),Vn(e),Xn(e,t))}function Pt(e,t,n,s){let o=e.
lines(t),i=c=>e.editLines(t,o.filter(u=>u!==c)),a=c=>u=>{u.isComposing||(u.key==="Enter"&&!u.ctrlKey&&!u.metaKey?(u.preventDefault(),
e.addLine(t,o.indexOf(c)+1)):u.key==="Backspace"&&c.text===""&&o.length>1&&(u.preventDefault(),i(c),e.focusLine(t,o[Math.
max(0,o.indexOf(c)-1)].key)))};return r("div",{class:"list"},r("div",{class:"list-head"},r("span",{class:"list-title"},n),
r("span",{class:"touched"},Ut(e.own(t)))),r("ul",{"aria-label":s},o.map(c=>r("li",{key:`line/${c.key}`},r("textarea",{rows:1,
maxlength:4e3,"aria-label":`${s}, line ${o.indexOf(c)+1}`,"data-line":`${t}/${c.key}`,readonly:e.readOnly||e.leaving,field:{
value:c.text,waiting:e.waits(t)},on:{input:u=>e.editLines(t,o.map(d=>d===c?{...c,text:u.target.value}:d),{typing:!0}),blur:()=>e.
flush(),keydown:a(c)}}),!e.readOnly&&r("button",{type:"button",class:"quiet",tabindex:"-1",title:"Remove this line","ari\
a-label":`Remove line ${o.indexOf(c)+1} of ${s}`,on:{click:()=>i(c)}},"×")))),o.length===0&&e.readOnly&&r("p",{class:"a\
bsent"},"None given."),!e.readOnly&&r("button",{type:"button",class:"link add","aria-label":`Add to ${s}`,on:{click:()=>e.
addLine(t,o.length)}},"+ Add a line"))}function Vn(e){let t=e.own("reasoning"),n=t.shown??"";return r("div",{class:"reas\
oning",key:"reasoning"},r("div",{class:"list-head"},r("h3",{id:"bc-reasoning"},"Reasoning"),r("span",{class:"touched"},Ut(
t))),r("textarea",{rows:Math.min(14,Math.max(3,Math.ceil(n.length/110)+n.split(`
`).length-1)),maxlength:5e4,"aria-labelledby":"bc-reasoning",placeholder:"Why this output is the better one","data-reaso\
ning":!0,readonly:e.readOnly||e.leaving,field:{value:n,waiting:e.waits("reasoning")},on:{input:s=>e.writeReasoning(s.target.
value),blur:()=>e.flush(),keydown:s=>Qn(e,s)}}))}function Qn(e,t){t.isComposing||t.key==="Escape"&&(t.preventDefault(),t.
stopPropagation(),e.flush(),e.focusRow(e.currentRow(),"A"))}function Xn(e,t){let n=e.own("winner"),s=n.touch==="untouche\
d"?"":n.shown,o=[["","By the scores"],...Object.entries(S.outcomes)];return r("div",{class:"winner",key:"winner"},r("h3",
{id:"bc-winner"},"Winner"),r("div",{class:"choices",role:"radiogroup","aria-labelledby":"bc-winner"},o.map(([i,a])=>r("b\
utton",{type:"button",role:"radio",class:`choice ${i}`,"aria-checked":String(s===i),disabled:e.readOnly,on:{click:()=>i?
e.answerBetter(i):e.chooseWinner(i)}},a))),s!==""&&M(e,"winner",{label:null,name:"the winner you set"}),r("span",{class:"\
touched"},t.verdict?`Now: ${I(t.verdict,e.names)}, ${K(t.verdict)}`:""))}function we(){return crypto.randomUUID?crypto.randomUUID():Array.from(crypto.getRandomValues(new Uint8Array(16)),e=>e.toString(
16).padStart(2,"0")).join("")}var X=class{constructor(t){this.prefix=t,this.items=[],this.sent=new Set,this.load()}load(){
try{for(let t of Object.keys(localStorage).filter(n=>n.startsWith(this.prefix)))try{let n=JSON.parse(localStorage.getItem(
t));typeof n?.id=="string"&&Date.now()-n.made<2592e6&&this.items.push(n)}catch{localStorage.removeItem(t)}}catch{}this.items.
sort((t,n)=>t.made-n.made)}put(t,{typing:n=!1}={}){let s=this.items.at(-1)?.made??0,o={id:we(),value:null,reason:"",code:"",
...t,made:Math.max(Date.now(),s+1)};if(n){let i=this.items.filter(a=>a.typing&&a.target===o.target&&!this.sent.has(a.id));
this.drop(new Set(i.map(a=>a.id))),o.typing=!0}return this.items.push(o),this.store(this.prefix+o.id,JSON.stringify(o)),
o}drop(t){let n=this.items.length;for(let s of this.items)t.has(s.id)&&this.store(this.prefix+s.id,null);return this.items=
this.items.filter(s=>!t.has(s.id)),this.items.length!==n}store(t,n){try{n===null?localStorage.removeItem(t):localStorage.
setItem(t,n)}catch{}}outgoing(){for(let t of this.items)this.sent.add(t.id);return this.items.map(({id:t,target:n,kind:s,
value:o,reason:i,code:a})=>({id:t,target:n,kind:s,value:o,reason:i,code:a}))}get unsent(){return this.items.some(t=>!this.
sent.has(t.id))}last(t){return this.items.findLast(n=>n.target===t)}};var Z=class{constructor(t,n){this.comparisonId=t,this.owner=n,this.outbox=new X(`comparator:outbox:${t}:${n}:`),this.ui=
{row:null,open:new Set,anchors:new Set,pressed:!1,question:null,folded:!0,shown:Qe()},this.edited=new Map,this.nextLine=
1,this.refusals=new Map,this.handled=new Set,this.command=null,this.queue=[],this.offline=!1,this.unheard=null,this.saving=
!1,this.trouble="",this.foreign=!1,this.here=!1,this.sentAt=0,this.savedAt=null,this.note="",this.offer=null,this.downloaded=
null,this.timer=null,this.deafUntil=0,this.sheet=null,this.criteria=[],this.expectations=[],this.api=null,this.root=null,
this.began=null,this.seen=null,this.process=null,this.shownSaved="",this.covered={above:0,below:0,height:0},this.byKeys=
!1,this.redrawn=null}find(t){return this.root.querySelector(t)}render(){}flush(){}flushSoon(){}get leaving(){return!1}focused(){
return null}take(t,n){return!1}focusRow(t,n){}rowOf(t){return null}toggleSheet(){return!1}ask(t){return!1}index(){let{rubric:t,
judgment:n,expectations:s,prose:o,preference:i}=this.sheet;this.values=new Map;let a=(h,f,m=f)=>{let b=this.sheet.own[h],
y=b?{...b,shown:b.value??m}:{touch:"untouched",shown:m,reason:"",code:"",blind:!1};this.values.set(h,{own:y,judged:f})},
c=h=>n?Object.fromEntries(p.map(f=>[f,h(f,n.assessments[f])])):null,u=h=>n.passes.map(({order:f,repetition:m,answer:b})=>({
order:f,repetition:m,...h(b)})),d=(h,f)=>f.map(m=>({...m,file_id:this.sheet.cited[h][m.file]??null}));this.criteria=["co\
ntent","structure"].flatMap(h=>(t?.[h]??[]).map(f=>{let m=`${h}.${f.key}`,b=y=>({criteria:L})=>{let{score:ie,rationale:Jt,
quotes:Gt}=L[m][y];return{value:ie,text:Jt,quotes:d(y,Gt)}};return{...f,path:m,dimension:h,judge:c((y,{scores:L})=>({score:L[m]??
null,by_pass:u(b(y))}))}})),this.expectations=s.map((h,f)=>{let m=b=>y=>{let{passed:L,evidence:ie}=y.expectations[f][b];
return{value:L,text:ie,quotes:[]}};return{index:f,text:h,judge:c((b,{expectations:y})=>({passed:y[f],by_pass:u(m(b))}))}});
for(let h of p){for(let{path:f,judge:m}of this.criteria)a(`score:${h}:${f}`,m&&m[h].score!==null?Number(m[h].score):null);
for(let{index:f,judge:m}of this.expectations)a(`expectation:${h}:${f}`,m?.[h].passed??null);for(let f of["strengths","we\
aknesses"])a(`${f}:${h}`,null,o[f][h])}a("reasoning",null,o.reasoning),a("winner",null),i&&a("preference",null)}get readOnly(){
return this.sheet.finalised}own(t){let n=this.values.get(t)?.own??{touch:"untouched",shown:null,reason:"",code:""},s=this.
outbox.last(t);if(!s)return n;let{reason:o,code:i,value:a}=s,c=!this.sheet.opened;switch(s.kind){case"set":return{touch:"\
changed",shown:a,reason:o,code:i,blind:c};case"confirm":case"confirm_rest":return{touch:"confirmed",shown:a,reason:o,code:i,
blind:c};case"cannot_judge":return{touch:"cannot_judge",shown:this.judged(t),reason:o,code:i,blind:c};default:return{touch:"\
untouched",shown:this.judged(t),reason:"",code:"",blind:c}}}judged(t){return this.values.get(t)?.judged??null}snapshot(){
return new Map([...this.values.keys()].map(t=>[t,this.own(t)]))}waits(t){return this.outbox.last(t)!==void 0}addresses(){
return[...this.values.keys()].filter(t=>t.startsWith("score:")||t.startsWith("expectation:"))}untouched(){return this.readOnly?
[]:this.addresses().filter(t=>this.own(t).touch==="untouched"&&this.judged(t)!==null)}needed(){let{opened:t,preference:n,
verdict:s}=this.sheet,{criteria:o}=this;if(n&&this.own("preference").touch==="untouched")return"preference";if(!t||s)return this.
lacking()[0]??null;let i=c=>p.find(u=>this.own(`score:${u}:${c.path}`).shown===null),a=o.find(({dimension:c})=>o.every(u=>u.
dimension!==c||i(u)));return a?`score:${i(a)}:${a.path}`:null}wantsReason(t){if(t==="winner"||t==="preference")return this.
own(t).touch==="changed";if(this.sheet.reasons==="off")return!1;let{touch:n,blind:s}=this.own(t);return n==="changed"&&!s||
n==="cannot_judge"}lacking(){return this.own("winner").touch==="changed"?[]:this.sheet.before_opening.filter(t=>this.own(
t).touch==="untouched")}change(t,n,s,o={},i={}){return this.readOnly||this.leaving?this.leaving:(this.outbox.put({target:t,
kind:n,value:s,...o},i),this.note="",i.typing?this.flushSoon():i.later||this.flush(),this.render(),!0)}choose(t,n){let s=this.
own(t),o=n===this.judged(t),i=o?"confirmed":"changed";if(s.touch===i&&s.shown!==null&&(typeof n=="boolean"?s.shown===n:Number(
s.shown)===n))return!0;let a=o?{}:{reason:s.reason,code:s.code};return this.change(t,o?"confirm":"set",n,a)}confirm(t,n="\
confirm"){let s=t.filter(o=>this.own(o).touch==="untouched"&&this.judged(o)!==null);if(s.length===0||this.readOnly||this.
leaving)return!1;for(let o of s)this.outbox.put({target:o,kind:n,value:this.judged(o)});return this.note="",this.flush(),
this.render(),!0}confirmRest(){let t=this.untouched(),n=this.confirm(t,"confirm_rest");return!n&&!this.leaving&&(this.note=
"No values of the judge are left to confirm."),n&&(this.note=`Confirmed ${g(t.length,"value")} that you had not touched.`,
this.offer={note:this.note,act:()=>this.unconfirm(t)}),this.render(),!0}unconfirm(t){let n=t.filter(s=>this.own(s).touch===
"confirmed");if(this.readOnly||this.leaving)return!1;for(let s of n)this.outbox.put({target:s,kind:"clear"});return this.
note=`Taken back: ${g(n.length,"value is","values are")} not confirmed again.`,this.flush(),this.render(),!0}clear(t){return t&&
this.own(t).touch!=="untouched"?this.change(t,"clear",null):!1}cannotJudge(t){return t?this.change(t,"cannot_judge",null,
{reason:this.own(t).reason}):!1}explain(t,n,s={}){let o=this.own(t),i=o.touch==="cannot_judge"?"cannot_judge":"set",a=i===
"set"?o.shown:null;return this.change(t,i,a,{reason:o.reason,code:o.code,...n},s)}choosePreference(t){let n=this.own("pr\
eference");return n.touch==="changed"&&n.shown===t?!0:this.change("preference","set",t,{reason:n.reason,code:n.code})}chooseWinner(t){
if(t==="")return this.clear("winner");let n=this.own("winner");return this.change("winner","set",t,{reason:n.reason,code:n.
code})}writeReasoning(t){let n=t.trim()===""?"clear":"set";return this.change("reasoning",n,n==="set"?t:null,{},{typing:!0})}lines(t){
let n=this.edited.get(t);return n&&(this.redrawn===t||this.waits(t)||this.focused()?.dataset.line?.startsWith(`${t}/`))?
n:(this.edited.delete(t),(this.own(t).shown??[]).map((s,o)=>({key:`kept${o}`,text:s})))}editLines(t,n,s={}){this.edited.
set(t,n);let o=n.map(i=>i.text.trim()).filter(Boolean);return this.change(t,"set",o,{},s)}addLine(t,n){if(this.leaving)return;
let s={key:`new${this.nextLine+=1}`,text:""};this.edited.set(t,[...this.lines(t).slice(0,n),s,...this.lines(t).slice(n)]),
this.renderLines(t),this.focusLine(t,s.key)}renderLines(t){this.redrawn=t,this.render(),this.redrawn=null}focusLine(t,n){
this.find(`[data-line="${CSS.escape(`${t}/${n}`)}"]`)?.focus()}};var Zn="changes",es=700,ts=3e3,ns=2e4,ss=15e3,os=2,rs=6e4,is=1500,ne=800,as=600,ye="No connection to the server, so noth\
ing was done. Your changes are kept here. Try again once it is back.",cs="This review is finalised. Reopen it to change \
a score.",se="The review was not open yet when you pressed that key. Press it again.",Ht={at:0},ee={finalise:"Finalising",
finalise_next:"Finalising and opening the next pair",skip:"Opening the next pair",cannot_judge:"Opening the next pair",outside_expertise:"\
Opening the next pair",next:"Opening the next pair"},te=class extends Z{flushSoon(){clearTimeout(this.timer),this.timer=
setTimeout(()=>this.flush(),es)}flush(){clearTimeout(this.timer),this.timer=null,!(this.outbox.items.length===0||this.saving)&&
(this.sentAt=Date.now(),this.save(this.outbox.outgoing()))}askWhoAnswers(){this.saving||this.save(this.outbox.outgoing())}async save(t){
this.saving=!0;let n=await us({comparison:this.comparisonId,owner:this.owner,began:this.began,seen:this.seen,changes:t});
this.saving=!1,this.offline=n===null,this.sentAt=this.offline?0:Date.now(),this.trouble=n?.problem??"",n?.sheet?(this.foreign=
n.process!==this.process,this.foreign||this.heard(),this.take(n.sheet,n.refused),n.refused.length>0&&this.queue[0]?.name.
startsWith("finalise")&&(this.queue=[],this.note=`Not finalised, since a value sent with it was not stored: ${n.refused[0].
why}`),this.timer===null&&this.outbox.unsent?this.flush():this.sendNext()):this.queue.length>0&&this.giveUp(this.queue[0],
this.offline?ye:""),this.render()}get ending(){return[this.command,...this.queue].map(t=>ee[t?.name]).find(Boolean)??null}get leaving(){
return this.ending!==null}goDeaf(t,n=is){return this.note=t,this.deafUntil=Date.now()+n,this.render(),!0}ignores(t){if(!([
...t.key].length===1||["Enter","Delete","Backspace"].includes(t.key)))return!1;let s=Date.now()-Ht.at<as;return this.leaving||
s?(Ht.at=Date.now(),this.leaving||this.tellSwallowed(),!0):Date.now()>this.deafUntil?!1:(this.deafUntil=Math.max(this.deafUntil,
Date.now()+ne),!0)}tellSwallowed(){this.note||(this.note="Keys pressed while the pair was opening were ignored.",this.render())}tellClosed(){
return this.goDeaf(this.command?.name==="reopen"?se:cs)}left(){this.here=!1,this.command=null,this.queue=[],this.note=""}press(t,n="",{
guessed:s=!1}={}){if(this.leaving)return!0;if(this.deafUntil=0,this.sheet.finalised!==["reopen","export","export_provena\
nce","write","reveal","next"].includes(t)&&t!=="retry"&&t!=="stop")return!1;let o=t==="finalise"||t==="finalise_next";return t===
"open_judge"&&this.lacking().length>0?this.showLacking():t==="undo"&&this.note&&this.offer?.note===this.note?this.offer.
act():t==="undo"&&!this.sheet.undoable&&this.outbox.items.length===0?!1:o&&this.outbox.items.length===0&&this.sheet.problems.
length>0?this.stopAtObstacle():o&&this.sheet.guess&&!s?this.ask({kind:"guess",then:t}):this.command?.name===t&&t!=="undo"?
!0:this.offline?this.tellAway():(this.queue.push({name:t,id:we(),text:n}),this.ui.question=null,this.note="",this.command||
this.sendNext(),this.render(),!0)}tellAway(){return this.note=ye,this.sentAt=0,this.render(),!0}showLacking(){let[t]=this.
lacking(),n=t==="preference"?"":`, or score every criterion of A and B (“cannot judge”, n, is a score): ${this.lacking().
length} to go`;return this.note=`Before the judge's scores open, say which output is better${n}.`,this.render(),this.focusRow(
this.rowOf(t),t.split(":")[1]??"A"),!0}stopAtObstacle(){return this.ui.question=null,this.ui.pressed=!0,this.render(),this.
showObstacle(),!0}showObstacle(){let t=this.needed();if(t){t!=="preference"&&(this.ui.folded=!1),this.focusRow(this.rowOf(
t),t.split(":")[1]??"A");return}let n=this.find(".reason.missing textarea")??this.find(".winner [role=radio]");n?.focus(
{preventScroll:!0}),n?.scrollIntoView({block:"center"})}sendNext(){let[t]=this.queue;if(!(!t||this.command)){if(t.seen??=
this.sheet.saved.length+this.outbox.items.length,this.outbox.items.length>0){this.flush();return}this.queue.shift(),this.
command=t,this.commandAt=Date.now(),t.name==="undo"&&(this.beforeUndo=this.snapshot()),this.tellCommand()}}tellCommand(){
this.sentAt=Date.now(),this.api.setTriggerValue("command",{...this.command,comparison:this.comparisonId})}get restarted(){
return this.foreign||this.unheard!==null&&this.unheard>os}reload(){if($(U()))return;let t=`comparator:reloaded:${this.comparisonId}`;
try{if(Date.now()-Number(sessionStorage.getItem(t))<rs)return;sessionStorage.setItem(t,String(Date.now()))}catch{return}
location.reload()}async watch(){if(!this.watching){this.watching=!0;try{let t=this.outbox.items.length>0&&this.timer===null&&
!this.saving;(t||this.command||this.offline)&&Date.now()-this.sentAt>ts&&await this.resend(t),this.foreign&&this.reload()}finally{
this.watching=!1}this.shownSaved!==F(this)&&this.render()}}heard(){this.offline=!1,this.unheard=null}async resend(t){let n=await ls();
this.offline=!n,n?this.unheard!==null&&(this.unheard+=1):this.unheard=0,this.restarted&&this.reload(),this.command&&(!n||
Date.now()-this.commandAt>ss)&&(this.giveUp(this.command,n?"The server has not answered. Try again if nothing has happen\
ed.":ye),this.render()),this.sentAt=Date.now(),n&&(this.command?.name in ee?this.tellCommand():t&&this.flush())}giveUp({
name:t,text:n},s){this.note=s,n&&t in J&&(this.ui.question={kind:"say",name:t,text:n}),this.command=null,this.queue=[]}download({
id:t,name:n,text:s,media_type:o}){if(this.downloaded===t)return;this.downloaded=t;let i=URL.createObjectURL(new Blob([s],
{type:o})),a=document.createElement("a");a.href=i,a.download=n,a.click(),setTimeout(()=>URL.revokeObjectURL(i),1e4)}};async function us(e){
try{return await(await fetch(new URL(Zn,document.baseURI),{method:"POST",headers:{"content-type":"application/json"},body:JSON.
stringify(e),cache:"no-store",signal:AbortSignal.timeout(ns)})).json()}catch{return null}}async function ls(){try{return(await fetch(
new URL("_stcore/health",document.baseURI),{cache:"no-store",signal:AbortSignal.timeout(2500)})).ok}catch{return!1}}var oe=class extends te{rows(){let t=[...this.criteria.map(n=>n.path),...this.expectations.map(n=>`expectation.${n.index}`)];
return this.sheet.preference?this.ui.folded?["preference"]:["preference",...t]:t}get showsCriteria(){return!this.sheet.preference||
!this.ui.folded}toggleCriteria(){return this.sheet.preference?(this.ui.folded=!this.ui.folded,this.render(),!0):!1}addressOf(t,n){
return t==="preference"?t:t.startsWith("expectation.")?`expectation:${n}:${t.slice(12)}`:`score:${n}:${t}`}firstOpenRow(){
let t=this.rows();return t.find(n=>p.some(s=>this.own(this.addressOf(n,s)).touch==="untouched"))??t[0]??null}answered(t){
return p.some(n=>this.own(this.addressOf(t,n)).touch!=="untouched")}currentRow(){let t=this.rows();return t.includes(this.
ui.row)?this.ui.row:t[0]??""}watchRow(){let t=this.find(`[data-row="${CSS.escape(this.currentRow())}"]`),{above:n,below:s}=this.
covered,o=`-${n}px 0px -${s}px 0px`;if(t===this.watched&&o===this.watchedMargin||(this.watched=t,this.watchedMargin=o,this.
sight?.disconnect(),!t))return;let i=a=>{let c=a.at(-1).isIntersecting;c===this.rowSeen||t!==this.watched||(this.rowSeen=
c,this.render())};this.sight=new IntersectionObserver(i,{root:t.closest(".sheet"),rootMargin:o,threshold:.5}),this.sight.
observe(t)}goTo(t,n){this.rowSeen||this.focused()!==null?this.focusRow(t,n):this.enter(t)}pointerDown(){this.pressing=!0,
this.byKeys=!1;let t=()=>{this.pressing=!1;for(let n of["pointerup","pointercancel"])window.removeEventListener(n,t,!0)};
for(let n of["pointerup","pointercancel"])window.addEventListener(n,t,!0)}enter(t){this.ui.row!==t&&(this.ui.row=t,this.
render())}focused(){let{activeElement:t}=this.root.getRootNode();return t??null}focusRow(t,n){this.enter(t),this.ui.shown||
this.toggleSheet();let s=CSS.escape(this.addressOf(t,n)),o=this.find(`[data-address="${s}"][tabindex="0"]`),i=this.find(
`[data-row="${CSS.escape(t)}"]`);o?.focus({preventScroll:!0}),this.bringIn(i)}bringIn(t){if(t){for(let n=t.nextElementSibling;n?.
matches(".because, .unfolded");n=n.nextElementSibling)n.scrollIntoView({block:"nearest"});t.scrollIntoView({block:"neare\
st"})}}showRow(t,n=!0){let s=this.focused(),o=s?.getAttribute("role")==="radio"?s.dataset.address:null;return o&&this.find(
`[data-row="${CSS.escape(t)}"] [data-address="${CSS.escape(o)}"][tabindex="0"]`)?.focus({preventScroll:!0}),this.bringIn(
this.find(`[data-row="${CSS.escape(t)}"]`)),n}moveRow(t,n){let s=this.rows();if(s.length===0)return!1;let o=/^(?:score|expectation):B/.
test(n?.dataset.address??"")?"B":"A",i=this.currentRow(),a=n===null&&this.focused()===null&&this.rowSeen&&!this.answered(
i),c=s.indexOf(i)+(a&&t>0?0:t);return this.goTo(s[Math.min(s.length-1,Math.max(0,c))],o),!0}moveStep(t,n){let o=[...n.closest(
"[data-row], .strip").querySelectorAll("[role=radio]")];return o[o.indexOf(n)+t]?.focus(),!0}scoreRow(t,n,s){return!t||t.
startsWith("expectation.")?!1:t==="preference"?this.answerPreference(Q[s-1][0]):(this.choose(this.addressOf(t,n),s),this.
showRow(t))}toggleCheck(t,n){let s=this.addressOf(t,n);return this.choose(s,!this.own(s).shown),this.showRow(t)}lineOf(t){
return this.criteria.find(n=>n.path===t)??this.expectations.find(n=>`expectation.${n.index}`===t)}nameOf(t){let[n,s,...o]=t.
split(":"),i=s?`, ${s}`:"";return n==="score"?`${l(this.criteria.find(a=>a.path===o.join(":"))?.name??o.join(":"))}${i}`:
n==="expectation"?`Expectation ${Number(o[0])+1}${i}`:n==="preference"?"Which output is better":n[0].toUpperCase()+n.slice(
1)+i}rowOf(t){if(t==="preference")return t;let[n,,s]=t.split(":");return n==="score"?s:n==="expectation"?`expectation.${s}`:
null}confirmRow(t){if(!t)return!1;this.confirm(p.map(o=>this.addressOf(t,o)));let n=this.rows(),s=n[n.indexOf(t)+1];return s?
this.goTo(s,"A"):this.showRow(t),!0}explained(t,n){return(t==="preference"?[t]:[n,n==="A"?"B":"A"].map(o=>this.addressOf(
t,o))).find(o=>this.wantsReason(o))}focusReason(t,n){let s=this.explained(t,n),o=s&&this.find(`[data-reason="${CSS.escape(
s)}"]`);return o?(o.focus(),!0):this.goDeaf(`${this.noReason(s)} Keys are ignored for a moment.`)}noReason(t){return this.
sheet.reasons==="off"&&!t?"This project does not ask for reasons.":"A reason goes with a changed value or “cannot judge”\
; this row has neither."}focusReasoning(){return this.showsCriteria||this.toggleCriteria(),this.focusField("[data-reason\
ing]")}answerBetter(t){if(this.sheet.preference)return this.answerPreference(t==="TIE"?"SAME":t);let n=this.own("winner").
shown;return this.chooseWinner(t),this.focusField('[data-reason="winner"]',n!==t)}answerPreference(t){let n=this.own("pr\
eference").shown;return this.choosePreference(t),this.focusField('[data-reason="preference"]',n!==t)}focusField(t,n=!1){
this.ui.shown||this.toggleSheet();let s=this.find(t);return s?(s.focus({preventScroll:!0}),n&&s.select(),s.scrollIntoView(
{block:"center"}),!0):this.goDeaf(this.note)}askCode(t,n){let s=this.explained(t,n);return s&&this.sheet.reason_codes.length>
0?this.ask({kind:"code",address:s}):this.goDeaf(s?"This project has no kinds of reasons. Write one (e).":this.noReason(s))}};var re=class extends oe{moveTo(t){this.here=!0,this.watched=null,this.root=t,this.tree=[]}follow(){let t=JSON.stringify(
this.covered);this.covered=et(this.root,this.ui.shown)??this.covered;let n=this.focused();if(t===JSON.stringify(this.covered)||
!this.byKeys||n?.getAttribute("role")!=="radio")return;let s=this.find(`[data-row="${CSS.escape(this.currentRow())}"]`);
s?.contains(n)&&this.bringIn(s)}toggleSheet(){return this.ui.shown=!this.ui.shown,Xe(this.ui.shown),this.render(),!0}take(t,n){
let s=this.sheet&&Date.parse(t.read_at)<Date.parse(this.sheet.read_at);s||(this.sheet=t,this.index());let o=new Map(n.map(
({id:a,why:c})=>[a,c]));this.takeRefusals(o);let i=this.outbox.drop(new Set([...t.saved,...o.keys()]));return i?this.savedAt=
Date.now():this.savedAt??=t.saved_at?new Date(t.saved_at).getTime():null,this.sheet.problems.length===0&&(this.ui.pressed=
!1),s&&t.read_at!==this.lateAt&&!this.saving&&(this.lateAt=t.read_at,this.save(this.outbox.outgoing())),i}receive(t){let{
data:n}=t;this.api=t,je(n.rules),Fe(n.flags),Te(n.words),Ce(n.probability),this.began=n.began,this.seen=n.seen,this.after=
n.after,this.names=n.names,this.process!==n.process&&(this.foreign=!1),this.process=n.process;let s=this.take(n.sheet,[]),
o=n.handled.some(a=>!this.handled.has(a));(s||o)&&this.heard(),this.handled=new Set(n.handled),(o||n.note)&&(this.note=n.
note||(this.note===se?se:""));let i=this.command&&this.handled.has(this.command.id)?this.command.name:null;i&&(this.command=
null,i==="undo"&&!this.note&&this.tellUndone(),this.sendNext()),this.ui.question?.kind==="guess"&&!this.sheet.guess&&(this.
ui.question=null),this.ui.row??=this.firstOpenRow(),i in ee&&!this.sheet.finalised&&!this.leaving&&this.stay(i),this.render(),
n.download&&this.download(n.download)}tellUndone(){let t=this.beforeUndo??new Map,n=h=>h.touch==="untouched",s=[...t.keys()].
find(h=>!_e(t.get(h),this.own(h))&&!(n(t.get(h))&&n(this.own(h))));if(!s)return;let[o,i]=[t.get(s),this.own(s)],[a,c]=W(
o)===W(i)?[ue(o),ue(i)]:[W(o),W(i)];this.note=`Undone: ${this.nameOf(s)}: ${a} → ${c}`;let u=this.rowOf(s);u&&(this.ui.
row=u),u&&this.sheet.preference&&u!=="preference"&&(this.ui.folded=!1),this.render();let d=u?`[data-row="${CSS.escape(u)}\
"]`:s==="reasoning"?"[data-reasoning]":`[data-line^="${CSS.escape(s)}/"], .winner`;this.find(d)?.scrollIntoView({block:"\
center"})}takeRefusals(t){let n=new Set(this.sheet.saved),s=this.outbox.items.filter(i=>t.has(i.id)&&!n.has(i.id));if(!this.
sheet.finalised||s.length===0){for(let i of s)this.refusals.set(i.id,t.get(i.id));return}let o=[...new Set(s.map(i=>i.target))].
map(i=>this.nameOf(i)+Re(this.outbox.last(i)));this.refusals.set("late",`${o.join("; ")}. The review was already finalis\
ed, so this change was dropped. Reopen the review to make it.`)}stay(t){this.deafUntil=Date.now()+ne,t.startsWith("final\
ise")&&(this.note===this.sheet.problems.join(" ")&&(this.note=""),this.sheet.problems.length>0&&this.stopAtObstacle())}unfold(t,n){
return n?(this.ui[t].delete(n)||this.ui[t].add(n),this.render(),!0):!1}dismiss(t){this.refusals.delete(t),this.render()}ask(t){
if(this.leaving)return!0;let n=this.ui.question?.kind===t.kind&&this.ui.question.name===t.name&&t.kind!=="guess";return this.
ui.question||(this.askedFrom=U()),this.ui.question=n?null:t,this.note="",this.render(),this.focusQuestion()}focusQuestion(){
return this.find(".asking textarea, .asking input, .asking button")?.focus(),!0}closeQuestion(){return this.ui.question=
null,this.render(),this.askedFrom instanceof HTMLIFrameElement&&this.askedFrom.isConnected?this.askedFrom.focus({preventScroll:!0}):
this.rowSeen&&this.focusRow(this.currentRow(),"A"),!0}showKeys(){return this.dialog?.showModal(),!0}get dialog(){return this.
find("dialog")}visible(){return this.root.isConnected&&this.root.getClientRects().length>0}render(){if(!this.here)return;
this.shownSaved=F(this),this.rowSeen??=!0;let t=this.showsCriteria?[lt(this),At(this),Kt(this)]:[],n=[r("section",{class:"\
sheet",key:"sheet",id:"bc-scores",hidden:!this.ui.shown,"aria-label":"Scores",tabindex:"-1","data-comparison":this.comparisonId},
_t(this),Ue(this),Ot(this),t,Bt(this),Et(this)),jt(this),Ft(this)],s=this.focused();P(this.root,this.tree,n),this.tree=n,
$(s)&&!s?.isConnected&&(this.deafUntil=Date.now()+ne),this.follow(),fe(this),this.watchRow()}};var N=new Map,Yt=({sheet:e,owner:t})=>`${e.comparison_id}:${t}`;function hs(e){let t=Yt(e);return N.has(t)||N.set(t,new re(
e.sheet.comparison_id,e.owner)),N.get(t)}function ds(e){for(let n=e.getRootNode().host??e;n;n=n.parentElement)n.scrollTop>
0&&(n.scrollTop=0);let t=e.querySelector(".sheet");t&&(t.scrollTop=0)}function vt(e){let{data:t,parentElement:n}=e.api,s=N.
size,o=hs(t);s>0&&N.size>s&&ds(n),e.view!==o&&(e.view?.left(),e.root.replaceChildren(),e.view=o,o.moveTo(e.root),queueMicrotask(
()=>o.flush())),o.receive(e.api),De(o)}var ke=new WeakMap,fs=100;function vo(e){let{parentElement:t,data:n}=e,s=ke.get(t);
if(!s){let i=document.createElement("div");i.className="root",t.appendChild(i),s={root:i,calls:0,view:null,api:e,wait:()=>{}};
let a=()=>s.view?.root===i?s.view:null,c=()=>a()?.follow(),u=new ResizeObserver(c);u.observe(i),u.observe(document.documentElement),
window.addEventListener("resize",c);let d=qt(a),h=Ie(a),f=Pe(a),m=setInterval(()=>a()?.watch(),1e3);s.stop=()=>{s.wait();
let b=a();b?.left(),clearInterval(m),d(),h(),f(),b&&tt(),u.disconnect(),window.removeEventListener("resize",c),i.remove(),
ke.delete(t)},ke.set(t,s)}s.calls+=1,s.api=e;let o=s.calls;return s.wait(),N.get(Yt(n))?.root===s.root?vt(s):s.wait=$e(()=>vt(
s)),()=>setTimeout(()=>s.calls===o&&s.stop(),fs)}export{vo as default};
