// Made by `npm run bundle` from sheet/js/main.js; do not edit.
var Kt="comparator:outputs-asked",me="comparator:outputs-there";function ge(t){let e={coming:!1};if(window.dispatchEvent(new CustomEvent(Kt,{detail:e})),!e.coming)return t(),()=>{};let n=()=>{
clearTimeout(o),window.removeEventListener(me,s)},s=()=>{n(),t()},o=setTimeout(s,300);return window.addEventListener(me,
s),n}var r=(t,e,...n)=>({tag:t,props:e||{},children:n.flat(1/0).map(s=>s&&typeof s=="object"?s:{words:Ut(s)})}),Ut=t=>t==null||
t===!1?"":String(t);function Ht(t){return t.tag===void 0?(t.at=document.createTextNode(t.words),t.at):(t.at=document.createElement(
t.tag),t.at.handlers={},be(t.at,{},t.props),D(t.at,[],t.children),t.props.field&&ye(t.at,t.props.field),t.at)}function vt(t,e){
return e.at=t.at,e.tag===void 0?(t.words!==e.words&&(e.at.data=e.words),e.at):(be(e.at,t.props,e.props),D(e.at,t.children,
e.children),e.props.field&&ye(e.at,e.props.field),e.at)}var we=new Set(["key","on","field"]);function be(t,e,n){for(let s of Object.
keys(e))!we.has(s)&&!(s in n)&&t.removeAttribute(s);for(let[s,o]of Object.entries(n))we.has(s)||e[s]===o||(o==null||o===
!1?t.removeAttribute(s):t.setAttribute(s,o===!0?"":String(o)));for(let s of Object.keys(n.on||{}))s in t.handlers||t.addEventListener(
s,o=>t.handlers[s]?.(o));t.handlers=n.on||{};for(let s of Object.keys(e.on||{}))t.handlers[s]??=void 0}function ye(t,{value:e,
waiting:n}){n||t.getRootNode().activeElement===t||t.value!==e&&(t.value=e)}var Yt=(t,e)=>t.tag===e.tag&&t.props?.key===e.
props?.key;function D(t,e,n){let s=new Map,o=[];for(let c of e)c.props?.key===void 0?o.push(c):s.set(c.props.key,c);let i=new Set,
a=n.map(c=>{let u=c.props?.key===void 0?o.shift():s.get(c.props.key);return u===void 0||!Yt(u,c)?Ht(c):(i.add(u),vt(u,c))});
for(let c of e)i.has(c)||c.at.remove();a.forEach((c,u)=>{t.childNodes[u]!==c&&t.insertBefore(c,t.childNodes[u]||null)})}
function M(){let t=document.activeElement;for(;t?.shadowRoot?.activeElement;)t=t.shadowRoot.activeElement;return t}var d=["A","B"],k=t=>t==null?"–":String(Number(t)),_=t=>t==null?"–":Number(t).toFixed(1),ke=t=>`${Math.round(Number(
t)*100)}%`,p=(t,e,n)=>`${t.toLocaleString("en")} ${t===1?e:n||`${e}s`}`,m=(t,e)=>t.length<=e?t:`${t.slice(0,e/2)} … ${t.
slice(-e/2)}`,Jt=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g,
l=t=>String(t??"").replace(Jt,e=>`⟨U+${e.charCodeAt(0).toString(16).toUpperCase().padStart(4,"0")}⟩`);function ne(t){
let e=Math.max(0,Math.round((Date.now()-t)/1e3));return e<60?`${e} s ago`:e<3600?`${Math.floor(e/60)} min ago`:e<86400?`${Math.
floor(e/3600)} h ago`:p(Math.floor(e/86400),"day")+" ago"}function xe({value:t}){return t==null||Array.isArray(t)?"":typeof t==
"boolean"?t?": met":": not met":`: ${l(m(String(t),60))}`}function T({touch:t,shown:e}){if(t==="cannot_judge")return"can\
not judge";let n=Array.isArray(e)?e.map(o=>l(m(o,40))).join(" / "):l(m(String(e??""),60)),s=typeof e=="boolean"?e?"met":
"not met":n||"nothing";return{untouched:`${s} (not confirmed)`,confirmed:`${s} (confirmed)`}[t]??s}var se=({reason:t,code:e})=>[
e&&l(e),t&&`“${l(m(t,60))}”`].filter(Boolean).join(" ")||"no reason",$e=(t,e)=>t.touch===e.touch&&t.reason===e.reason&&
t.code===e.code&&JSON.stringify(t.shown)===JSON.stringify(e.shown),oe={},Se=t=>Object.assign(oe,t,{reviewer:"set by you"}),
b={disagree:"",same_orders:"",offline_check:"",outcomes:{A:"",B:"",TIE:""},tie:""},Ee=t=>Object.assign(b,t),te={probability:null},
Ae=t=>{te.probability=t??null},Gt=t=>te.probability===null?`stated confidence ${t}%`:`probability ${Math.round(te.probability*
100)}% (stated ${t}%)`,A=(t,e)=>e?`${l(m(e[t],40))} (${t})`:t,y=(t,e)=>t==="TIE"?b.tie:`${A(t,e)} wins`,C=({decided_by:t,
not_assessed:e})=>[oe[t],e].filter(Boolean).join(", ");function re({decided_by:t,not_assessed:e}){return[t!=="rubric"&&oe[t],
e].filter(Boolean)}function N(t,e){return t.totals?`${y(t.winner,e)} ${_(t.totals.A.overall_score)} : ${_(t.totals.B.overall_score)}`:
y(t.winner,e)}function Re(t,e){let{judge:n,judge_verdict:s}=t;if(!t.opened&&n.state==="done")return"hidden until you hav\
e answered";if(n.state==="failed")return"the judge failed";if(n.state==="interrupted")return"the judge was interrupted";
if(n.state==="waiting")return n.step?l(n.step).toLowerCase():"the judge has not started";if(n.state==="running")return`t\
he judge is working${n.step?`: ${l(n.step)}`:""}`;if(n.form)return l(n.form);if(!s)return n.judges?.length?`no verdict, \
the judges are ${n.settled==="no quorum"?"too few":"inconclusive"}`:"no verdict";let o=[N(s,e),...re(s)];return n.self_consistent===
!1&&o.push(`its ${b.disagree}`),n.position_consistent===!0&&o.push(b.same_orders),n.position_consistent===!1&&o.push(n.judges?.
length?"a judge's two orders disagree":"its two orders disagree"),n.quotes_total&&o.push(`${n.quotes_found} of ${p(n.quotes_total,
"quote")} found`),n.stated_confidence!==null&&o.push(Gt(n.stated_confidence)),o.join(", ")}var x=t=>t.judge.form?b.offline_check:
"judge";function Oe(t){let e=[l(t.model)];if(t.input_tokens||t.output_tokens){let n=t.cached_tokens?` (${t.cached_tokens.
toLocaleString("en")} cached)`:"";e.push(`${t.input_tokens.toLocaleString("en")} tokens in${n}, ${t.output_tokens.toLocaleString(
"en")} out`)}return t.cost!==null&&e.push(`${Number(t.cost).toFixed(4)} ${l(t.currency)}`),t.seconds&&e.push(`${t.seconds.
toFixed(1)} s`),e.filter(Boolean).join(" · ")}var F={AB:"A shown first",BA:"B shown first"};function je(t){let e=t.some(
s=>s.repetition>0),n=new Map;for(let s of t){let o=JSON.stringify([s.value,s.text,s.quotes]);n.set(o,[...n.get(o)??[],s])}
return[...n.values()].map(s=>{let o=s.length===t.length&&s.length>1;return{pass:s[0],who:o?"both orders":s.map(i=>zt(i,e)).
join("; ")}})}var zt=(t,e)=>F[t.order]+(e?`, reading ${t.repetition+1}`:"");function q(t,e){let n=`“${l(m(t.text,400))}”`,s=r("span",{class:"file",title:l(t.file)},l(m(t.file,40)));if(!t.found)
return[r("s",{},n)," ",s," ",r("span",{class:"not-found"},"not found in the output")];if(t.file_id===null)return[r("span",
{},n)," ",s];let o={fileId:t.file_id,label:e,text:t.text,start:t.start,end:t.end},i=()=>window.dispatchEvent(new CustomEvent(
"comparator:show-quote",{detail:o}));return[r("button",{type:"button",class:"quote",title:`Show in output ${e}`,on:{click:i}},
n)," ",s]}var $=t=>`panes-${t.comparisonId}`,P=new Map;function _e(t){let e=({detail:s})=>{let o=t();!o?.sheet||s?.place!==$(o)||(P.
set(s.place,s),o.render())},n=()=>t()?.askWhoAnswers();return window.addEventListener("comparator:notes",e),window.addEventListener(
"comparator:unheard",n),()=>{window.removeEventListener("comparator:notes",e),window.removeEventListener("comparator:unh\
eard",n)}}function Te(t){P.has($(t))||window.dispatchEvent(new CustomEvent("comparator:notes-wanted",{detail:{place:$(t)}}))}
var Ce=(t,e)=>(P.get($(t))?.evidence??[]).filter(n=>n.target===e);function ie(t,e){let n=e.flatMap(([,s])=>Ce(t,s)).length;
return n?` · ${n} of yours`:""}function Ne(t,e,n){let s=Ce(t,e);if(s.length===0)return null;let o=a=>window.dispatchEvent(
new CustomEvent("comparator:withdraw-evidence",{detail:{id:a.id}})),i=P.get($(t)).closed;return r("div",{class:"reading \
own-evidence"},r("p",{},r("span",{class:"order"},"Your evidence")),r("ul",{class:"quotes"},s.map(a=>r("li",{key:`own/${a.
id}`},q({file:a.file,file_id:a.fileId,text:a.text,start:a.start,end:null,found:!0},n)," ",!i&&r("button",{type:"button",
class:"link","aria-label":`Withdraw this evidence: ${l(m(a.text,60))}`,on:{click:()=>o(a)}},"Withdraw")))))}var R={example:["Example judgment","It was written for this example, in the form in which a model answers. No model was \
asked."],flip:["Judge's two orders disagree","The judge preferred one output when A was shown first, and the other when \
B was. Where its readings differ, both values are shown."],split:["Judges disagree","Several judges were asked. Each was\
 reconciled over both orders first:"],addressed:["An output addresses the judge","It was treated as data, not as an inst\
ruction:"],aside:["Files set aside","These files, of either output, are not judged. The reveal shows whose they are."],revealed:[
"Candidates revealed","Changes made now are marked as not blind and left out of blind statistics."],late:["Candidates ar\
e known: your review will not count as blind","They were revealed before you finalised. Blind statistics leave your revi\
ew out."],sides_hidden:["Sides are hidden; you know the candidates","You set this pair up. Which output is whose was dra\
wn by chance. Your review is counted separately, not as blind."],known:["Not blind for you","You know which output is wh\
ose. Your review is counted separately."]},Vt="It looks at form only: whether there is an output, whether its files open\
 and parse, and whether the files that the task names are there. It cannot tell right from wrong.",Qt="no difference in \
form",Xt={inconclusive:"inconclusive, its two orders disagree",abstained:"abstained",failed:"failed, or used an earlier \
rubric"},Le=t=>Object.assign(R,t);function Zt(t,e){let{judge:n}=t,s=(i,a,c=[])=>({kind:i,tone:a,name:R[i][0],about:R[i][1],
lines:c.map(u=>l(m(u,400)))}),o=d.flatMap(i=>(t.view_notes?.[i]??[]).map(a=>({kind:`note/${i}`,tone:"warn",name:`${A(i,e)}\
: ${l(m(a,60))}`,about:l(a),lines:[]})));return[n.form&&{kind:"offline",tone:n.form===Qt?"":"warn",name:`Offline check: ${l(
n.form)}`,about:Vt,lines:[]},n.example&&s("example",""),n.self_consistent===!1&&s("contradicts","warn"),n.position_consistent===
!1&&s("flip","warn"),n.judges?.some(i=>i.vote!==n.judges[0].vote)&&s("split","warn",n.judges.map(i=>`${i.name}: ${Xt[i.vote]??
y(i.vote,e)}`)),n.addressed_judge.length>0&&s("addressed","warn",n.addressed_judge),...(t.cut_off??[]).map(i=>({kind:`cu\
t/${i}`,tone:"warn",name:R.cut[0].replace("{}",()=>A(i,e)),about:R.cut[1],lines:[]})),t.void&&s("void","warn"),t.may_reveal&&
s("reveals","warn"),...o,t.superseded&&s("superseded",""),t.aside_of_both?.length>0&&s("aside","",t.aside_of_both),t.revealed&&
(t.finalised?s("revealed",""):s("late","warn")),t.blindness in R&&!t.revealed&&s(t.blindness,"")].filter(Boolean)}function ae(t){
if(!t.sheet)return;let{judge:e}=t.sheet,n=e.state==="running"||e.state==="waiting"&&!!e.step,s={place:$(t),findings:Zt(t.
sheet,t.names),step:n?l(e.step||"The judge is reading both outputs"):""},o=JSON.stringify(s);o!==t.sentFindings&&(t.sentFindings=
o,window.dispatchEvent(new CustomEvent("comparator:findings",{detail:s})))}function Be(t){let e=()=>{let s=t();s&&(s.sentFindings=
null,ae(s))},n=({detail:s})=>t()?.press(s?.name);return window.addEventListener("comparator:findings-wanted",e),window.addEventListener(
"comparator:command",n),()=>{window.removeEventListener("comparator:findings-wanted",e),window.removeEventListener("comp\
arator:command",n)}}var K={skip:{menu:"Skip",label:"Why do you skip this pair?",done:"Skip it"},flag:{menu:"Flag for discussion",label:"What\
 should be discussed about this pair?",done:"Flag it"},cannot_judge:{menu:"Cannot judge this pair",label:"Why can this p\
air not be judged?",done:"Cannot judge"},outside_expertise:{menu:"Outside my expertise",label:"What expertise does this \
pair need?",done:"Outside my expertise"}},en={skip:"You skipped this pair",flag:"You flagged this pair for discussion",cannot_judge:"\
You cannot judge this pair",outside_expertise:"This pair is outside your expertise"},tn=["a guess","fairly sure","certai\
n"];function Ie(t){return t.sheet.answers.length===0?null:r("div",{class:"banners",key:"given"},t.sheet.answers.map(({id:e,
kind:n,reason:s,at:o})=>r("div",{class:"banner",key:`given/${e}`},r("b",{title:new Date(o).toLocaleString()},`${en[n]}.`),
s&&` ${l(s)}`," ",!t.readOnly&&r("button",{type:"button",class:"link",on:{click:()=>t.press("withdraw",e)}},"Take back"))))}
function We(t){let{question:e}=t.ui;switch(e.kind){case"menu":return[...Object.entries(K).map(([n,{menu:s}])=>[s,()=>t.ask(
{kind:"say",name:n})]),t.sheet.blindness!=="known"&&["I know which is which",()=>t.press("knows")]].filter(Boolean);case"\
code":return t.sheet.reason_codes.map(n=>[l(n),()=>nn(t,e.address,n)]);case"guess":return sn(t,e);case"reveal":return[[t.
after.together>1?`Reveal all ${t.after.together}`:"Reveal the candidates",()=>t.press("reveal")]];default:return[]}}function nn(t,e,n){
return t.explain(e,{code:n}),t.closeQuestion()}function sn(t,{then:e}){let{choices:n}=t.sheet.guess,s=o=>()=>(t.press("g\
uess",o),t.press(e,"",{guessed:!0}));return n.length===0?[["No",s("")],...["A suspicion","Fairly sure","I am certain"].map(
(o,i)=>[o,s(`:${i+1}`)])]:[...n.flatMap(({number:o,text:i})=>tn.map((a,c)=>[`${l(i)}: ${a}`,s(`${o}:${c+1}`)])),["No ide\
a",s("")]]}var on=t=>t>1?`${t} comparisons of these two candidates are revealed together. Later changes count as not bli\
nd.`:"Later changes count as not blind.";function rn(t){let{question:e}=t.ui;return e.kind==="menu"?"Instead of a verdic\
t:":e.kind==="code"?"Why?":e.kind==="reveal"?on(t.after.together):t.sheet.guess.choices.length>0?"Before you go on: whic\
h candidate do you think made output A?":"Before you go on: did anything reveal who made which output?"}function De(t){let{
question:e}=t.ui;return e?e.kind==="say"?an(t,e):e.kind==="write"?cn(t):e.kind==="scores"?un(t):r("div",{class:"asking",
key:"asking",role:"group","aria-labelledby":"bc-asking"},r("b",{id:"bc-asking"},rn(t)),We(t).map(([n,s],o)=>r("button",{
type:"button",class:"command small","data-choice":String(o+1),on:{click:s}},o<9&&r("span",{class:"digit","aria-hidden":"\
true"},String(o+1)),` ${n}`)),r("button",{type:"button",class:"link",title:"Escape",on:{click:()=>t.closeQuestion()}},"C\
ancel")):null}function an(t,{name:e,text:n=null}){let{label:s,done:o}=K[e],i=t.sheet.reasons==="required";return ce(t,{name:e,
text:n,label:`${s} (${i?"required":"optional"})`,done:o,needed:i,send:a=>t.press(e,a)})}function cn(t){return ce(t,{name:"\
write",text:t.after.place,label:"Folder on this machine, or file to write",done:"Save both files",needed:!0,lacking:"Ent\
er a folder or a file name.",send:e=>t.press("write",e)})}function un(t){let n=`Four whole numbers from 1 to 5: content \
and structure of A, then of B${t.own("reasoning").shown?"":"; then a sentence on why"}. They go into this file only, not\
 into any statistic.`;return ce(t,{name:"scores",text:null,label:n,done:"Export comparison.json",needed:!0,lacking:"Writ\
e four numbers, such as 4,3,2,3.",send:s=>t.press("export",s)})}function ce(t,{name:e,text:n,label:s,done:o,needed:i,lacking:a="\
Give a short reason.",send:c}){let u=()=>{let f=t.root.querySelector("[data-say]").value.trim();return i&&!f?(t.note=a,t.
render()):c(f)},h=f=>{f.isComposing||f.key!=="Enter"&&f.key!=="Escape"||(f.preventDefault(),f.stopPropagation(),f.key===
"Enter"?u():t.closeQuestion())};return r("div",{class:"asking",key:`say/${e}`},r("input",{type:"text",maxlength:3900,placeholder:s,
"aria-label":s,"data-say":e,value:n,on:{keydown:h}}),r("button",{type:"button",class:"command","data-command":e,on:{click:u}},
o),r("button",{type:"button",class:"command",on:{click:()=>t.closeQuestion()}},"Cancel"))}function Me(t,e){if(e.key==="E\
scape")return t.closeQuestion();let n=/^[1-9]$/.test(e.key)?We(t)[Number(e.key)-1]:void 0;return n?(n[1](),!0):/^[0-9]$/.
test(e.key)}var ln="Examples",qe="comparator:hints",Fe={read:["1 of 4: Read","Compare A and B. ] opens the next file, and “Task” abo\
ve says what was asked."],score:["2 of 4: Score","Press a, b or = to say which output is better, and type why. Or score \
each criterion: 1 to 5 for A, 6 to 0 for B."],finalise:["3 of 4: Finalise","When all is as you want it, press Ctrl + Shi\
ft + Enter or “Finalise”."],export:["4 of 4: Export","“Export comparison.json” (Ctrl + S) saves the result. “Next” o\
pens the next pair."]};function hn(){try{return localStorage.getItem(qe)===null}catch{return!1}}function dn(t){try{localStorage.
setItem(qe,"dismissed")}catch{}t.ui.hints=!1,t.render()}function fn(t){if(t.sheet.finalised)return"export";if(t.own("win\
ner").touch==="changed")return"finalise";let e=t.rows(),n=e.filter(s=>t.answered(s)).length;return n===0?t.ui.row===t.ui.
firstRow?"read":"score":n<e.length?"score":"finalise"}function Pe(t){if(t.ui.hints??=hn(),!t.ui.hints||t.sheet.project_name!==
ln)return null;t.ui.firstRow??=t.ui.row;let e=fn(t);return r("p",{class:"hint",key:"hint","data-step":e},r("b",{},Fe[e][0]),
` ${Fe[e][1]} `,r("button",{type:"button",class:"link",on:{click:()=>dn(t)}},"Don't show hints again"))}var L=()=>window.innerWidth>=1200,Ue=()=>`comparator:panel:${L()?"rail":"drawer"}`;function He(){try{let t=localStorage.
getItem(Ue());if(t!==null)return t==="shown"}catch{}return L()||window.innerHeight>=900}function ve(t){try{localStorage.
setItem(Ue(),t?"shown":"folded")}catch{}}var S={usual:.4,narrow:.34,below:768,least:.5,panes:.45,rows:120},ue=()=>(window.
innerWidth<S.below?S.narrow:S.usual)*window.innerHeight,pn=t=>Math.max(t-ue(),Math.min(S.panes*window.innerHeight,t-S.rows)),
U={size:"",top:0};function mn(t){let e=JSON.stringify([window.innerWidth,window.innerHeight]),n=window.innerHeight-t-U.top;
return(U.size!==e||n<S.least*ue()||n>ue()/S.least)&&(U={size:e,top:pn(window.innerHeight-t)}),U.top}var Ye=["--bc-rail",
"--bc-drawer","--bc-bar"],gn="comparator:room",Ke=null;function Je(t,e){let n=t.querySelector(".bar"),s=t.querySelector(
".sheet");if(!n||!s||!t.isConnected)return null;let o=L(),i=Math.max(0,Math.round(t.getBoundingClientRect().left)-16);t.
dataset.place=o?"rail":"drawer",n.style.left=`${i}px`,s.style.left=o?"":`${i}px`,s.style.bottom=`${n.offsetHeight}px`,s.
style.top=o||!e?"":`${mn(n.offsetHeight)}px`;let a={above:s.querySelector("thead")?.offsetHeight??0,below:s.querySelector(
".chosen")?.offsetHeight??0,height:s.offsetHeight};s.style.scrollPadding=`${a.above}px 0 ${a.below}px`;let c={"--bc-bar":n.
offsetHeight,"--bc-rail":e&&o?s.offsetWidth:0,"--bc-drawer":e&&!o?s.offsetHeight:0};bn(c);let u=JSON.stringify({...wn(),
taken:c});if(u===Ke)return a;Ke=u;try{localStorage.setItem(gn,u)}catch{}return a}var wn=()=>({width:window.innerWidth,height:window.innerHeight});function bn(t){for(let e of Ye)document.documentElement.
style.setProperty(e,`${Number(t[e])}px`)}function Ge(){for(let t of Ye)document.documentElement.style.removeProperty(t)}var ze=[1,2,3,4,5],Ve=(t,e)=>e>=t?"full":e>=t-.5?"half":"none";function Qe(t){return r("span",{class:"absent",title:`The\
 ${t} has not assessed this. It counts only if you score both A and B.`},"not assessed")}function Xe(t,e,n){if(!t)return r(
"span",{class:"absent",title:`The ${n} gave no score`},"–");if(t.score===null)return Qe(n);let s=Number(t.score),i=["A\
B","BA"].map(u=>t.by_pass.filter(h=>h.order===u).map(h=>h.value)).flat(),a=new Set(i).size>1,c=a?`${n}: ${k(s)}; ${t.by_pass.
map(u=>`${F[u.order]}: ${u.value}`).join(", ")}`:`${n}: ${k(s)}`;return r("span",{class:`value judge ${e}`,title:a?c:null},
r("span",{class:"steps","aria-hidden":"true"},ze.map(u=>r("i",{class:`step ${Ve(u,s)}`}))),r("b",{class:a?"figure differ":
"figure","aria-hidden":"true"},a?i.join(" | "):k(s)),r("span",{class:"spoken"},c))}function Ze(t,e,n){if(!t)return r("sp\
an",{class:"absent",title:`The ${n} did not check this`},"–");if(t.passed===null)return Qe(n);let s=t.by_pass.map(a=>a.
value),o=new Set(s).size>1,i=o?`${n}: not met, its readings differ: ${t.by_pass.map(a=>`${F[a.order]}: ${a.value?"met":"\
not met"}`).join(", ")}`:`${n}: ${t.passed?"met":"not met"}`;return r("span",{class:`value judge ${e}`,title:o?i:null},r(
"b",{class:o?"check differ":"check","aria-hidden":"true"},o?s.map(a=>a?"✓":"✗").join(" | "):t.passed?"✓":"✗"),r(
"span",{class:"spoken"},i))}var et={untouched:"not confirmed yet",confirmed:"confirmed",changed:"changed by you",cannot_judge:"\
you cannot judge this"};function tt(t,{address:e,name:n,label:s,choices:o,current:i,touch:a,chosen:c}){let u=o.find(h=>h.
value===i)||o[Math.ceil(o.length/2)-1];return r("span",{class:"steps",role:"radiogroup","aria-label":`${n}, output ${s},\
 your ${o.length>2?"score":"answer"}, ${et[a]}`,"aria-disabled":t.readOnly?"true":null},o.map(h=>r("button",{type:"butto\
n",role:"radio",class:`step ${h.look}`,"aria-checked":c&&h.value===i?"true":"false","aria-label":h.name,"data-address":e,
title:h.title,tabindex:h===u?"0":"-1",disabled:t.readOnly,on:{click:()=>t.choose(e,h.value)}},r("i",{"aria-hidden":"true"},
h.glyph))))}function nt(t,{address:e,name:n,label:s,own:o,judged:i}){let{touch:a}=o,c=`${n}, output ${s}`;if(a==="untouc\
hed"){let f=!t.readOnly&&i!==null&&i!==void 0;return r("button",{type:"button",class:"mark",tabindex:"-1",disabled:!f,title:f?
"Confirm the judge's value (Enter confirms the row)":null,"aria-label":`Confirm ${c}`,on:{click:()=>t.confirm([e])}},"✓")}
let u=a==="changed"&&typeof i=="number"?Number(o.shown)-i:0,h=a==="confirmed"?"✓":a==="cannot_judge"?"?":u>0?`+${k(u)}`:
u<0?`−${k(-u)}`:i===o.shown?"=":o.blind||i===null?"•":"≠";return r("button",{type:"button",class:`mark ${a}`,tabindex:"\
-1",disabled:t.readOnly,title:`${et[a]}; take it back (Delete)`,"aria-label":`Take back ${c}`,on:{click:()=>t.clear(e)}},
h)}function H(t,e,n){let s=`score:${n}:${e.path}`,o=t.own(s),i=o.shown===null?0:Number(o.shown),a={1:e.anchors.poor,3:e.
anchors.acceptable,5:e.anchors.excellent},c=t.judged(s),u=ze.map(h=>({value:h,name:String(h),look:Ve(h,i),title:a[h]?`${h}\
: ${l(a[h])}`:String(h),glyph:""}));return r("span",{class:`value own ${n} ${o.touch}`},tt(t,{address:s,name:l(e.name),label:n,
choices:u,current:i,touch:o.touch,chosen:o.touch!=="untouched"&&o.touch!=="cannot_judge"}),r("b",{class:"figure","aria-h\
idden":"true"},o.shown===null?"–":k(i)),nt(t,{address:s,name:l(e.name),label:n,own:o,judged:c}))}function v(t,e,n){let s=`\
expectation:${n}:${e.index}`,o=t.own(s),i=t.judged(s),a=[!0,!1].map(c=>({value:c,name:c?"met":"not met",title:c?"Met":"N\
ot met",glyph:c?"✓":"✗",look:o.shown===c?"full":"none"}));return r("span",{class:`value own check ${n} ${o.touch}`},
tt(t,{address:s,name:`Expectation ${e.index+1}`,label:n,choices:a,current:o.shown,touch:o.touch,chosen:o.touch==="confir\
med"||o.touch==="changed"}),nt(t,{address:s,name:`expectation ${e.index+1}`,label:n,own:o,judged:i}))}var E=t=>r("span",{class:`letter ${t}`},t);function st(t){let{sheet:e}=t,n=[["content","Content"],["structure","Structur\
e"]];return r("table",{class:"scores",key:"scores"},r("caption",{class:"spoken"},`Scores of both outputs, the ${x(e)}'s \
and yours. 1 to 5 scores output A, 6 to 0 output B.`),ot(t,"Criterion",yn(t.sheet)),n.map(([s,o])=>r("tbody",{key:s},r("\
tr",{class:"group",key:"head"},r("th",{colspan:6,scope:"rowgroup"},o)),e.criteria.filter(i=>i.dimension===s).flatMap(i=>xn(
t,i)),le(`${o} score`,e,(i,a)=>_(i.totals?.[a][`${s}_score`]),{of:it(t,e.criteria.filter(i=>i.dimension===s).map(i=>i.path))}))),
r("tbody",{key:"overall",class:"overall"},le("Overall",e,(s,o)=>_(s.totals?.[o].overall_score),{unit:"of 10"})))}var yn=t=>t.
rubric_version===null?null:`Rubric version ${t.rubric_version}${t.rubric_author?`, written by ${l(t.rubric_author)}`:""}`,
kn=(t,e)=>r("th",{colspan:2,scope:"colgroup",class:`side ${t}`,title:e?l(e):null},E(t),e?` · ${l(e)}`:` Output ${t}`);function ot(t,e,n=null){
let s=d.map(i=>kn(i,t.names?.[i])),o=d.flatMap(i=>[r("th",{scope:"col",class:`judge ${i}`},t.sheet.judge.form?"":"judge"),
r("th",{scope:"col",class:`you ${i}`},"you")]);return r("thead",{key:"head"},r("tr",{},r("th",{rowspan:2,scope:"col",class:"\
name",title:n},e),s,r("th",{rowspan:2,scope:"col",class:"why"},t.sheet.reasons==="off"?"":"Why")),r("tr",{},o))}var rt=(t,e)=>d.
filter(n=>t.own(t.addressOf(e,n)).shown!==null);function it(t,e){let n=e.filter(s=>rt(t,s).length===d.length);return n.length&&
n.length<e.length?`from ${n.length} of ${p(e.length,"row")}`:""}var at=(t,e)=>t.readOnly&&rt(t,e).length===1,ct=(t,e)=>at(
t,e)&&r("span",{class:"absent",title:"Only one output has a value here, so the row is not in the result."}," left out");
function le(t,e,n,{of:s="",unit:o=""}={}){let i=(a,c,u)=>r("td",{class:`${c} ${u}`,"data-who":c==="judge"?x(e):c},r("b",
{class:"figure"},a?n(a,u):"–"));return r("tr",{class:"foot",key:"foot"},r("th",{scope:"row",class:"name"},t,s&&[" ",r(
"span",{class:"absent"},s)]),d.map(a=>[i(e.judge_verdict,"judge",a),i(e.verdict,"you",a)]),r("td",{class:"why"},o))}function ut(t,e,n,s){
let o=x(t.sheet);return r("td",{class:`judge ${e}`,"data-who":o},n(s.judge&&s.judge[e],e,o))}function xn(t,e){let n=e.path,
s=l(e.name),o={sides:d.map(i=>[i,`score:${i}:${e.path}`]),name:s,unfolds:lt(e,"rationale")};return[r("tr",ht(t,n),r("th",
{scope:"row",class:"name",title:l(e.description)||null},r("span",{class:"label"},s),ct(t,n),dt(t,"anchors",n,{label:`Wha\
t 1, 3 and 5 mean for ${s}`,face:"i",look:"info"})),d.map(i=>[ut(t,i,Xe,e),r("td",{class:`you ${i}`},H(t,e,i))]),ft(t,n,
o)),pt(t,n,o),t.ui.anchors.has(n)&&r("tr",{class:"unfolded",key:`${n}/anchors`},r("td",{colspan:6},$n(e))),t.ui.open.has(
n)&&mt(t,n,e)].filter(Boolean)}function lt(t,e){if(!t.judge)return"more";let n=d.flatMap(s=>t.judge[s].by_pass.flatMap(o=>o.
quotes)).length;return n?`${e} · ${p(n,"quote")}`:e}function ht(t,e){return{class:["row",t.ui.row===e&&"here",at(t,e)&&
"left-out"].filter(Boolean).join(" "),key:e,"data-row":e,on:{pointerdown:()=>t.pointerDown(),focusin:()=>t.pressing||t.enter(
e),click:()=>t.enter(e)}}}function dt(t,e,n,{label:s,face:o,look:i}){let a=t.ui[e].has(n);return r("button",{type:"butto\
n",class:i,"aria-expanded":a?"true":"false","aria-label":s,title:s,on:{click:()=>t.unfold(e,n)}},o)}function $n(t){let e=[
[1,t.anchors.poor],[3,t.anchors.acceptable],[5,t.anchors.excellent]];return r("div",{class:"anchors"},t.description&&r("\
p",{class:"about"},l(t.description)),e.map(([n,s])=>r("p",{},r("b",{class:"figure"},n)," ",l(s))))}function ft(t,e,{sides:n,
name:s,unfolds:o}){let i=[r("span",{class:"fold","aria-hidden":"true"}),o,ie(t,n)];return r("td",{class:"why"},dt(t,"ope\
n",e,{label:`${o}${ie(t,n)}: ${s}`,face:i,look:"link"}))}function pt(t,e,{sides:n,name:s}){let o=n.map(([i,a])=>t.wantsReason(
a)&&B(t,a,{label:i,name:`${s}, output ${i}`})).filter(Boolean);return o.length===0?null:r("tr",{class:"because",key:`${e}\
/because`,"data-because":e,on:{focusin:()=>t.enter(e)}},r("td",{colspan:6},o))}function B(t,e,{label:n,name:s}){let o=t.
own(e),i=t.sheet.reasons==="required",a=i&&!o.reason.trim()&&!o.code,c=t.sheet.reason_codes;return r("div",{class:a?"rea\
son missing":"reason",key:`reason/${e}`},n&&E(n),c.length>0&&r("select",{"aria-label":`Kind of reason, ${s}`,disabled:t.
readOnly,field:{value:o.code,waiting:!1},on:{change:u=>t.explain(e,{code:u.target.value})}},r("option",{value:""},"Kind…"),
c.map(u=>r("option",{value:u},l(u)))),r("textarea",{rows:1,maxlength:4e3,placeholder:i&&!o.code?"Reason (required)":"Rea\
son (optional)","aria-label":`Reason, ${s}`,"aria-required":i?"true":null,"aria-invalid":a?"true":null,"data-reason":e,readonly:t.
readOnly||t.leaving,field:{value:o.reason,waiting:t.waits(e)},on:{input:u=>t.explain(e,{reason:u.target.value},{typing:!0}),
blur:()=>t.flush(),keydown:u=>Sn(t,u)}}))}function Sn(t,e){e.isComposing||e.key!=="Escape"&&(e.key!=="Enter"||e.shiftKey||
e.ctrlKey||e.metaKey)||(e.preventDefault(),e.stopPropagation(),t.flush(),t.focusRow(t.currentRow(),e.target.dataset.reason.
includes(":B:")?"B":"A"))}function mt(t,e,n){return r("tr",{class:"unfolded",key:`${e}/open`},r("td",{colspan:6},gt(t,e,
n)))}var En=t=>t??"not assessed",An=t=>t===null?"not assessed.":t?"met.":"not met.";function gt(t,e,n){let s=e.startsWith(
"expectation.")?An:En;return r("div",{class:"halves"},d.map(o=>{let i=t.addressOf(e,o);return r("section",{class:o,"aria\
-label":`Output ${o}`},r("div",{class:"half-head"},E(o),Rn(t,i,`${l(n.name||n.text)}, output ${o}`)),n.judge?On(n.judge[o],
o,s):r("p",{class:"absent"},t.sheet.opened?"No rationale from the judge yet.":"The judge's rationale opens after you hav\
e answered."),Ne(t,i,o))}))}function wt(t){let e=t.currentRow(),n=t.lineOf(e);return!n?.judge||!L()||t.ui.open.has(e)?null:
r("aside",{class:"chosen",key:"chosen","aria-label":`Rationale: ${l(n.name||n.text)}`},r("h3",{},l(n.name||n.text)),gt(t,
e,n))}function Rn(t,e,n){if(t.readOnly)return null;let s=t.own(e),o=(i,a,c)=>r("button",{type:"button",class:"link","ari\
a-label":`${i}: ${n}`,"aria-pressed":c===void 0?null:String(c),on:{click:a}},i);return[t.judged(e)!==null&&s.touch!=="co\
nfirmed"&&o("Confirm",()=>t.confirm([e])),o("Cannot judge",()=>s.touch==="cannot_judge"?t.clear(e):t.cannotJudge(e),s.touch===
"cannot_judge"),s.touch!=="untouched"&&o("Take back",()=>t.clear(e))]}function On(t,e,n){return je(t.by_pass).map(({pass:s,
who:o})=>r("div",{class:"reading"},r("p",{},r("span",{class:"order"},`${o}: `),r("b",{class:"figure"},n(s.value))," ",l(
s.text)),s.quotes.length>0&&r("ul",{class:"quotes"},s.quotes.map(i=>r("li",{},q(i,e))))))}function bt(t){let{sheet:e}=t;
return e.expectations.length===0?null:r("table",{class:"scores expectations",key:"expectations"},r("caption",{class:"spo\
ken"},`Which expectations each output meets, by the ${x(e)} and by you.`),ot(t,"Expectation"),r("tbody",{},r("tr",{class:"\
group",key:"head"},r("th",{colspan:6,scope:"rowgroup"},"Expectations")),e.expectations.flatMap(n=>jn(t,n)),le("Pass rate",
e,(n,s)=>n.pass_rates?ke(n.pass_rates[s]):"–",{of:it(t,e.expectations.map(n=>`expectation.${n.index}`))})))}function jn(t,e){
let n=`expectation.${e.index}`,s={sides:d.map(o=>[o,`expectation:${o}:${e.index}`]),name:`expectation ${e.index+1}`,unfolds:lt(
e,"evidence")};return[r("tr",ht(t,n),r("th",{scope:"row",class:"name"},r("span",{class:"label"},l(e.text)),ct(t,n)),d.map(
o=>[ut(t,o,Ze,e),r("td",{class:`you ${o}`},v(t,e,o))]),ft(t,n,s)),pt(t,n,s),t.ui.open.has(n)&&mt(t,n,e)].filter(Boolean)}var Y=[["A_MUCH","A much better"],["A","A better"],["SAME","The same"],["B","B better"],["B_MUCH","B much better"]];function he(t,e){
return(Y.find(([s])=>s===t)?.[1]??"").replace(/^[AB](?= )/,s=>A(s,e))}function yt(t){if(!t.sheet.preference)return null;
let e=t.own("preference"),n=e.touch==="changed"?e.shown:null,s=n??"SAME";return r("section",{class:t.ui.row==="preferenc\
e"?"preference here":"preference",key:"preference","data-row":"preference",on:{focusin:()=>t.enter("preference"),click:()=>t.
enter("preference")}},r("h3",{id:"bc-preference"},"Which output does the task better?"),r("div",{class:"choices",role:"r\
adiogroup","aria-labelledby":"bc-preference"},Y.map(([o,i],a)=>r("button",{type:"button",role:"radio",class:`choice ${o[0]===
"S"?"TIE":o[0]}`,"data-address":"preference","aria-checked":String(n===o),tabindex:o===s?"0":"-1",title:`Key ${a+1}`,disabled:t.
readOnly,on:{click:()=>t.answerPreference(o)}},r("span",{class:"digit","aria-hidden":"true"},String(a+1)),` ${i}`))),n&&
B(t,"preference",{label:null,name:"which output is better"}),r("button",{type:"button",class:"link","aria-expanded":String(
t.showsCriteria),title:"Key h",on:{click:()=>t.toggleCriteria()}},r("span",{class:"fold","aria-hidden":"true"}),t.showsCriteria?
"Hide the criteria":`Score the ${p(t.sheet.criteria.length,"criterion","criteria")} too (optional)`))}function xt(t){let{sheet:e}=t,{judge:n}=e,s=[];n.state!=="done"&&s.push(_n(t,n)),t.restarted&&s.push(r("div",{class:"ban\
ner bad",role:"alert",key:"restarted"},r("b",{},"Your session on the server has ended.")," Your changes are kept. Reload\
 to continue. ",r("button",{type:"button",class:"command small",on:{click:()=>location.reload()}},"Reload"))),t.trouble&&
s.push(r("div",{class:"banner bad",role:"alert",key:"trouble"},r("b",{},"Not saved yet."),` ${l(t.trouble)} Your changes\
 are kept in this browser and will be sent again.`));for(let[o,i]of t.refusals)s.push(r("div",{class:"banner bad",role:"\
alert",key:`refused/${o}`},`Not stored: ${l(i)} `,r("button",{type:"button",class:"link",on:{click:()=>t.dismiss(o)}},"D\
ismiss")));return r("div",{class:"banners",key:"banners"},s)}function _n(t,e){let n={failed:["bad","The judge failed."],
interrupted:["bad",e.problem?l(e.problem):"The judge was interrupted."],waiting:["",e.step?`${l(e.step)} …`:"The judge\
 has not started."],running:["",`The judge is working${e.step?`: ${l(e.step)}`:""} …`]}[e.state],s=e.state==="failed"||
e.state==="interrupted",o=s||e.state==="waiting"&&!e.step;return r("div",{class:`banner ${n[0]}`,key:"judge",role:s?"ale\
rt":"status"},r("b",{},n[1]),e.state!=="interrupted"&&e.problem&&` ${l(e.problem)}`,o&&" You can score without it. ",o&&
g(t,"retry",s?"Retry":"Judge",{look:"small"}))}function g(t,e,n,{look:s="",title:o=null,disabled:i=!1}={}){let a=t.command?.
name===e;return r("button",{type:"button",class:`command ${s}`,"data-command":e,title:o,disabled:i,"aria-busy":a?"true":
null,on:{click:()=>t.press(e)}},n)}function $t(t){let{sheet:e}=t,n=Re(e,t.names);return r("div",{class:"bar",key:"bar",role:"\
region","aria-label":"Decision"},Nn(t),!(t.rowSeen&&t.ui.shown)&&Tn(t),r("div",{class:"line"},r("div",{class:"summary"},
r("span",{class:"who",title:[n,e.judge.form?"":Oe(e.judge)].filter(Boolean).join(" · ")},r("span",{class:"tag outline"},
x(e)),` ${n}`),r("span",{class:"who",title:kt(t)},r("span",{class:"tag solid"},"you")," ",e.finalised?Bn(t):kt(t))),e.finalised?
In(t):Ln(t)))}function St(t){return r("button",{type:"button",class:"command","data-toggle":"scores",title:"Show or hide\
 the scores (p)","aria-expanded":String(t.ui.shown),"aria-controls":"bc-scores",on:{click:()=>t.toggleSheet()}},t.ui.shown?
"Hide scores":"Scores")}function Tn(t){let e=t.currentRow();if(e==="preference"&&!t.readOnly)return Cn(t);let n=t.sheet.
criteria.find(a=>a.path===e),s=t.sheet.expectations.find(a=>`expectation.${a.index}`===e);if(t.readOnly||!(n||s))return null;
let o=a=>[E(a),n?H(t,n,a):v(t,s,a)],i=l(n?n.name:s.text);return r("div",{class:"strip",key:"strip",title:i},r("button",{
type:"button",class:"link",title:"Show this row",on:{click:()=>t.focusRow(e,"A")}},i),d.map(o))}function Cn(t){let e=he(
t.own("preference").shown,t.names);return r("div",{class:"strip",key:"strip"},r("button",{type:"button",class:"link",title:"\
Show the question",on:{click:()=>t.focusRow("preference","A")}},e||"Which output does the task better? 1 A much better …\
 5 B much better"))}function kt(t){let{sheet:e}=t,n=t.addresses().map(c=>t.own(c).touch),s=c=>n.filter(u=>u===c).length;
if(!e.opened&&!e.preference&&t.lacking().length>0)return`${p(t.lacking().length,"score")} to give before the judge's sco\
res open`;if(e.preference&&t.own("preference").touch==="untouched")return"no answer yet";if(e.preference&&!e.verdict)return he(
t.own("preference").shown,t.names);if(!e.verdict)return`${p(e.missing.length,"value is","values are")} not assessed`;let o=[
[N(e.verdict,t.names),...re(e.verdict)].join(", ")],i=["changed","confirmed"].filter(s).map(c=>`${s(c)} ${c}`);i.length&&
o.push(i.join(", ")),s("cannot_judge")&&o.push(`${s("cannot_judge")} cannot judge`);let a=t.addresses().map(c=>t.own(c)).
filter(({touch:c,shown:u})=>c==="untouched"&&u!==null).length;return a&&o.push(`${p(a,"value")} not confirmed`),o.join("\
 · ")}function Nn(t){let{sheet:e}=t,n=[];return t.leaving?n.push(r("p",{class:"note",role:"status",key:"leaving"},`${t.
ending} … Keys are off until that is done.`)):t.note&&n.push(r("p",{class:"note",role:"status",key:"note"},l(t.note),t.
offer?.note===t.note&&[" ",r("button",{type:"button",class:"link",on:{click:()=>t.offer.act()}},"Undo")])),!e.finalised&&
e.problems.length>0&&n.push(r("div",{class:t.ui.pressed?"problems pressed":"problems",role:"status",key:"problems"},r("s\
pan",{},r("b",{},"Before finalising: "),l(e.problems.join(" "))),r("button",{type:"button",class:"link",on:{click:()=>t.
showObstacle()}},"show me"))),n.push(De(t)),t.ui.question||n.push(Pe(t)),r("div",{class:"obstacles"},n)}function W(t){return t.
outbox.items.length>0?t.offline||t.trouble?"not saved yet, will be sent again":"saving…":t.offline?"no connection to t\
he server":t.savedAt?`saved ${ne(t.savedAt)}`:""}function Et(t){let e=t.offline||t.trouble!=="";return r("span",{class:e?
"saved trouble":"saved",role:"status","aria-live":e?"polite":"off","data-waiting":String(t.outbox.items.length),title:t.
savedAt?new Date(t.savedAt).toLocaleString():null},W(t))}function Ln(t){let{sheet:e}=t;return r("div",{class:"actions"},
Et(t),St(t),g(t,"undo","Undo",{title:"Take back your last change (z)",disabled:!e.undoable&&t.outbox.items.length===0}),
I(t,{kind:"say",name:"skip"},"Skip","Leave this pair for later, or for another reviewer (q 1)"),I(t,{kind:"menu"},"More…",
"Flag for discussion, cannot judge, outside my expertise, I know which is which (q)"),t.showsCriteria&&e.opened&&r("butt\
on",{type:"button",class:"command",title:"Confirm all remaining values of the judge (c)",disabled:t.untouched().length===
0,on:{click:()=>t.confirmRest()}},"Confirm the rest"),r("button",{type:"button",class:"command",title:"Keys (?)","aria-l\
abel":"Keys",on:{click:()=>t.showKeys()}},"?"),!e.opened&&g(t,"open_judge","Open the judge's scores",{look:O(t)?"primary":
"",title:O(t)?"Ctrl + Enter, or r":"r"}),g(t,"finalise","Finalise",{title:"Ctrl + Shift + Enter"}),g(t,"finalise_next","\
Finalise and open next",{look:O(t)?"":"primary",title:O(t)?null:"Ctrl + Enter"}))}var O=t=>!t.sheet.opened&&!t.sheet.preference&&
t.own("winner").touch!=="changed";function I(t,e,n,s){let o=t.ui.question,i=o!==null&&o.kind===e.kind&&o.name===e.name;return r(
"button",{type:"button",class:"command","data-ask":e.name||e.kind,title:s,"aria-expanded":String(i),on:{click:()=>t.ask(
e)}},n)}function Bn(t){let e=t.sheet.versions.at(-1);return r("span",{class:"decided"},r("b",{},e?`Finalised: ${y(e.winner,
t.names)}`:"Finalised"),e?`, ${C(e)}${At(t,e)}.`:".")}function At(t,{changed:e,decided_by:n}){return t.sheet.judge.form?
"":e===0?n==="reviewer"?"":"; no value changed":`; ${p(e,"value")} changed from the judge's`}function In(t){return r("di\
v",{class:"actions"},St(t),Et(t),g(t,"reopen","Reopen"),t.sheet.verdict&&!t.sheet.verdict.totals?I(t,{kind:"scores"},"Ex\
port comparison.json…","Enter the four scores that comparison.json needs, then download it"):g(t,"export","Export comp\
arison.json",{title:"Download the scores, the winner and the reasoning"}),g(t,"export_provenance","Export provenance",{title:"\
Download what is behind the result: the judge, the rubric, each change and its author"}),t.after?.place!==null&&t.after&&
I(t,{kind:"write"},"Save to a folder…","Save comparison.json and its provenance to a folder on this machine"),t.after?.
together>0&&I(t,{kind:"reveal"},"Reveal","Show which candidate made which output"),g(t,"next","Next",{look:"primary",title:"\
Open the next comparison (Ctrl + Enter)"}))}function Rt(t){let{versions:e,finalised:n}=t.sheet;return e.length===0?null:
r("div",{class:"history",key:"history"},r("h3",{},"Versions"),r("ol",{reversed:!0},e.toReversed().map(s=>{let o=new Date(
s.at);return r("li",{value:s.number},r("span",{title:o.toLocaleString()},ne(o.getTime())),`: ${y(s.winner,t.names)}, ${C(
s)}${At(t,s)}`,s.unblinded&&", after the reveal")})),!n&&r("p",{class:"absent"},"Reopened. These versions stay; finalisi\
ng adds another."))}var Wn=[["j k, ↓ ↑","next, previous row (arrows while the table has the focus)"],["1 … 5","score output A"],["6 … \
9 0, or Shift + 1 … 5","score output B from 1 to 5"],["Space, Shift + Space","expectation met or not: A, B"],["← →",
"move between the steps; Space chooses"],["Enter","confirm the row and go on"],["a, b, =","which output is better: A, B,\
 the same; then type why"],["c","confirm all other values that the judge gave"],["p","show or hide the scores"],["n, Shi\
ft + N","cannot judge: A, B"],["Delete, Shift + Delete","clear a value: A, B"],["o","unfold the rationale"],["i","what 1\
, 3 and 5 mean"],["e, Shift + E","write the reason: A, B; Enter or Escape goes back to the table"],["t","write the reaso\
ning; Escape goes back to the table"],["y, Shift + Y","choose the kind of reason by its digit: A, B"],["q","skip, flag, \
cannot judge, outside my expertise, I know which is which"],["z","undo"],["Ctrl + Enter","finalise and open next; where \
you scored blind, first open the judge's scores"],["Ctrl + Shift + Enter","finalise and stay here"],["Ctrl + S","export \
comparison.json once the review is finalised"],["s (on the queue)","start reviewing, or go on"],["?","this list; Escape \
closes it"]],Dn=[["a, b, =","A better, B better, the same; then type why"],["1 … 5","A much better, A better, the same\
, B better, B much better"],["h","show or hide the criteria"]],Mn=[["r","open the judge's scores"]],Fn=[["[ ]","previous\
, next file"],["f, /","list of files, search"],["x","mark the file as viewed"],["w","which side is shown: both, A, B"],[
"g, Shift + G","into output A, B: arrows, Page Down and Space scroll it; all keys work there as well"],["s","as it looks\
, or its source"],["d","differences"],["l","scroll both together, or each alone"],[", .","previous, next place found, or\
 change"],["v","attach the selected words to a criterion as evidence"],["m","comment on the file or the selected words"],
["+ − |","larger, smaller, fit"]],qn=new Set(["text","search","email","number","password","tel","url","date","time","d\
atetime-local","month","week"]);function w(t){return t instanceof Element?t instanceof HTMLElement&&t.isContentEditable||
t.closest("[contenteditable=true], [role=textbox], [role=combobox], [role=grid]")?!0:t.tagName==="TEXTAREA"||t.tagName===
"SELECT"||t instanceof HTMLInputElement&&qn.has(t.type):!1}var Ot=()=>document.querySelector("[role=dialog], dialog[open\
]")!==null;function Tt(t){let e=/^Digit([1-5])$/.exec(t.code||"");return t.shiftKey&&e?{label:"B",score:Number(e[1])}:/^[1-5]$/.
test(t.key)?{label:"A",score:Number(t.key)}:/^[6-9]$/.test(t.key)?{label:"B",score:Number(t.key)-5}:t.key==="0"?{label:"\
B",score:5}:null}function jt(t,e,n){if(t.dialog?.open)return!1;if(e.key==="Enter"&&(e.ctrlKey||e.metaKey))return t.leaving?
!0:(t.flush(),t.ui.question?.kind==="guess"?t.focusQuestion():(t.press(t.sheet.finalised?"next":O(t)?"open_judge":e.shiftKey?
"finalise":"finalise_next"),!0));if(e.key==="s"&&(e.ctrlKey||e.metaKey)&&t.sheet.finalised)return t.sheet.verdict?.totals===
null?t.ask({kind:"scores"}):t.press("export");if(e.ctrlKey||e.metaKey||e.altKey||w(n)&&!n.readOnly)return!1;if(t.ignores(
e)||t.ui.question&&Me(t,e))return!0;if(t.readOnly&&!t.leaving&&(Tt(e)||/^([abceny=]|Delete)$/i.test(e.key)))return t.tellClosed();
if(w(n))return!1;if(e.key==="?")return t.showKeys();let s=e.key==="j"||n&&e.key==="ArrowDown";return s||e.key==="k"||n&&
e.key==="ArrowUp"?t.moveRow(s?1:-1,n):e.key==="o"||e.key==="i"?t.showRow(t.currentRow(),t.unfold(e.key==="o"?"open":"anc\
hors",t.currentRow())):e.key==="h"?t.toggleCriteria():e.key==="p"?t.toggleSheet():e.key==="d"?(window.dispatchEvent(new CustomEvent(
"comparator:toggle-differences")),!0):n&&n.getAttribute("role")==="radio"&&n.dataset.address&&(e.key==="ArrowLeft"||e.key===
"ArrowRight")?t.moveStep(e.key==="ArrowRight"?1:-1,n):t.readOnly?!1:Pn(t,e,n)}function Pn(t,e,n){let s=t.currentRow(),o=n?.
tagName==="BUTTON"&&n.getAttribute("role")!=="radio",i=e.shiftKey?"B":"A",a=Tt(e);if(a)return t.scoreRow(s,a.label,a.score);
switch(e.key){case"Enter":return o?!1:t.confirmRow(s);case" ":return o||!s.startsWith("expectation.")?!1:t.toggleCheck(s,
n?.dataset.address?.startsWith("expectation:B")?"B":i);case"a":case"b":return t.answerBetter(e.key.toUpperCase());case"=":
return t.answerBetter("TIE");case"c":return t.confirmRest();case"n":case"N":return s==="preference"?t.ask({kind:"say",name:"\
cannot_judge"}):t.showRow(s,t.cannotJudge(t.addressOf(s,i)));case"Delete":return t.showRow(s,t.clear(t.addressOf(s,i)));case"\
e":case"E":return t.focusReason(s,i);case"y":case"Y":return t.askCode(s,i);case"t":return t.focusReasoning();case"q":return t.
ask({kind:"menu"});case"r":return t.sheet.opened?!1:t.press("open_judge");case"z":return t.press("undo");default:return!1}}
function Ct(t){let e=null,n=a=>{let c=t(),u=a.composedPath()[0];if(a.defaultPrevented||a.isComposing||!c?.visible()||Ot())
return null;if(a.composedPath().includes(c.root))return c;let h=a.key==="Enter"&&(a.ctrlKey||a.metaKey),f=u instanceof Element&&
u.closest("button, a, summary, [role=button], [role=tab]");return w(u)||f&&/^(Enter| |Arrow.*)$/.test(a.key)&&!h?null:c},
s=a=>{if(a.ctrlKey||a.metaKey||a.altKey||w(a.composedPath()[0]))return;let c=n(a);!c||c.dialog?.open||!c.ignores(a)||(a.
preventDefault(),a.stopImmediatePropagation())},o=a=>{if(e=null,a.repeat&&!/^(Arrow|[jk]$)/.test(a.key))return;let c=n(a),
u=c&&a.composedPath().includes(c.root);c&&(c.byKeys=!0),c&&jt(c,a,u?a.composedPath()[0]:null)&&a.preventDefault()},i=({detail:a})=>{
e=a,setTimeout(()=>{let c=t();e!==a||typeof a?.key!="string"||a.key===" "||!c?.visible()||Ot()||jt(c,a,null)})};return window.
addEventListener("keydown",s,!0),document.addEventListener("keydown",o),window.addEventListener("comparator:key",i),()=>{
window.removeEventListener("keydown",s,!0),document.removeEventListener("keydown",o),window.removeEventListener("compara\
tor:key",i)}}var _t=t=>r("dl",{},t.map(([e,n])=>r("div",{},r("dt",{},e),r("dd",{},n))));function Nt(t){return r("dialog",
{key:"keys",class:"keys","aria-labelledby":"bc-keys",on:{click:e=>e.target===e.currentTarget&&e.target.close()}},r("h3",
{id:"bc-keys",tabindex:"-1",autofocus:!0},"Keys"),r("div",{class:"lists"},_t([...t.sheet.preference?Dn:[],...t.sheet.opened?
[]:Mn,...Wn]),r("div",{},r("h4",{},"Outputs"),_t(Fn))),r("button",{type:"button",class:"command",on:{click:()=>t.dialog.
close()}},"Close"))}var Bt=t=>t.touch==="changed"?"edited by you":t.touch==="confirmed"?"confirmed":"";function It(t){let{sheet:e}=t,n=s=>r(
"section",{class:s,"aria-label":`Output ${s}`},r("h4",{},E(s),` Output ${s}`),Lt(t,`strengths:${s}`,"Strengths",`Strengt\
hs of output ${s}`),Lt(t,`weaknesses:${s}`,"Weaknesses",`Weaknesses of output ${s}`));return r("div",{class:"prose",key:"\
prose"},r("h3",{},"Strengths and weaknesses"),r("div",{class:"halves"},d.map(n)),Kn(t),Hn(t,e))}function Lt(t,e,n,s){let o=t.
lines(e),i=c=>t.editLines(e,o.filter(u=>u!==c)),a=c=>u=>{u.isComposing||(u.key==="Enter"&&!u.ctrlKey&&!u.metaKey?(u.preventDefault(),
t.addLine(e,o.indexOf(c)+1)):u.key==="Backspace"&&c.text===""&&o.length>1&&(u.preventDefault(),i(c),t.focusLine(e,o[Math.
max(0,o.indexOf(c)-1)].key)))};return r("div",{class:"list"},r("div",{class:"list-head"},r("span",{class:"list-title"},n),
r("span",{class:"touched"},Bt(t.own(e)))),r("ul",{"aria-label":s},o.map(c=>r("li",{key:`line/${c.key}`},r("textarea",{rows:1,
maxlength:4e3,"aria-label":`${s}, line ${o.indexOf(c)+1}`,"data-line":`${e}/${c.key}`,readonly:t.readOnly||t.leaving,field:{
value:c.text,waiting:t.waits(e)},on:{input:u=>t.editLines(e,o.map(h=>h===c?{...c,text:u.target.value}:h),{typing:!0}),blur:()=>t.
flush(),keydown:a(c)}}),!t.readOnly&&r("button",{type:"button",class:"quiet",tabindex:"-1",title:"Remove this line","ari\
a-label":`Remove line ${o.indexOf(c)+1} of ${s}`,on:{click:()=>i(c)}},"×")))),o.length===0&&t.readOnly&&r("p",{class:"a\
bsent"},"None given."),!t.readOnly&&r("button",{type:"button",class:"link add","aria-label":`Add to ${s}`,on:{click:()=>t.
addLine(e,o.length)}},"+ Add a line"))}function Kn(t){let e=t.own("reasoning"),n=e.shown??"";return r("div",{class:"reas\
oning",key:"reasoning"},r("div",{class:"list-head"},r("h3",{id:"bc-reasoning"},"Reasoning"),r("span",{class:"touched"},Bt(
e))),r("textarea",{rows:Math.min(14,Math.max(3,Math.ceil(n.length/110)+n.split(`
`).length-1)),maxlength:5e4,"aria-labelledby":"bc-reasoning",placeholder:"Why this output is the better one","data-reaso\
ning":!0,readonly:t.readOnly||t.leaving,field:{value:n,waiting:t.waits("reasoning")},on:{input:s=>t.writeReasoning(s.target.
value),blur:()=>t.flush(),keydown:s=>Un(t,s)}}))}function Un(t,e){e.isComposing||e.key==="Escape"&&(e.preventDefault(),e.
stopPropagation(),t.flush(),t.focusRow(t.currentRow(),"A"))}function Hn(t,e){let n=t.own("winner"),s=n.touch==="untouche\
d"?"":n.shown,o=[["","By the scores"],...Object.entries(b.outcomes)];return r("div",{class:"winner",key:"winner"},r("h3",
{id:"bc-winner"},"Winner"),r("div",{class:"choices",role:"radiogroup","aria-labelledby":"bc-winner"},o.map(([i,a])=>r("b\
utton",{type:"button",role:"radio",class:`choice ${i}`,"aria-checked":String(s===i),disabled:t.readOnly,on:{click:()=>i?
t.answerBetter(i):t.chooseWinner(i)}},a))),s!==""&&B(t,"winner",{label:null,name:"the winner you set"}),r("span",{class:"\
touched"},e.verdict?`Now: ${N(e.verdict,t.names)}, ${C(e.verdict)}`:""))}function de(){return crypto.randomUUID?crypto.randomUUID():Array.from(crypto.getRandomValues(new Uint8Array(16)),t=>t.toString(
16).padStart(2,"0")).join("")}var J=class{constructor(e){this.prefix=e,this.items=[],this.sent=new Set,this.load()}load(){
try{for(let e of Object.keys(localStorage).filter(n=>n.startsWith(this.prefix)))try{let n=JSON.parse(localStorage.getItem(
e));typeof n?.id=="string"&&Date.now()-n.made<2592e6&&this.items.push(n)}catch{localStorage.removeItem(e)}}catch{}this.items.
sort((e,n)=>e.made-n.made)}put(e,{typing:n=!1}={}){let s=this.items.at(-1)?.made??0,o={id:de(),value:null,reason:"",code:"",
...e,made:Math.max(Date.now(),s+1)};if(n){let i=this.items.filter(a=>a.typing&&a.target===o.target&&!this.sent.has(a.id));
this.drop(new Set(i.map(a=>a.id))),o.typing=!0}return this.items.push(o),this.store(this.prefix+o.id,JSON.stringify(o)),
o}drop(e){let n=this.items.length;for(let s of this.items)e.has(s.id)&&this.store(this.prefix+s.id,null);return this.items=
this.items.filter(s=>!e.has(s.id)),this.items.length!==n}store(e,n){try{n===null?localStorage.removeItem(e):localStorage.
setItem(e,n)}catch{}}outgoing(){for(let e of this.items)this.sent.add(e.id);return this.items.map(({id:e,target:n,kind:s,
value:o,reason:i,code:a})=>({id:e,target:n,kind:s,value:o,reason:i,code:a}))}get unsent(){return this.items.some(e=>!this.
sent.has(e.id))}last(e){return this.items.findLast(n=>n.target===e)}};var G=class{constructor(e,n){this.comparisonId=e,this.owner=n,this.outbox=new J(`comparator:outbox:${e}:${n}:`),this.ui=
{row:null,open:new Set,anchors:new Set,pressed:!1,question:null,folded:!0,shown:He()},this.edited=new Map,this.nextLine=
1,this.refusals=new Map,this.handled=new Set,this.command=null,this.queue=[],this.offline=!1,this.unheard=null,this.saving=
!1,this.trouble="",this.foreign=!1,this.here=!1,this.sentAt=0,this.savedAt=null,this.note="",this.offer=null,this.downloaded=
null,this.timer=null,this.deafUntil=0,this.sheet=null,this.api=null,this.root=null,this.began=null,this.seen=null,this.process=
null,this.shownSaved="",this.covered={above:0,below:0,height:0},this.byKeys=!1,this.redrawn=null}find(e){return this.root.
querySelector(e)}render(){}flush(){}flushSoon(){}get leaving(){return!1}focused(){return null}take(e,n){return!1}focusRow(e,n){}rowOf(e){
return null}toggleSheet(){return!1}ask(e){return!1}index(){this.values=new Map([["reasoning",{own:this.sheet.prose.reasoning,
judged:null}],["winner",{own:this.sheet.own_winner,judged:null}]]),this.sheet.preference&&this.values.set("preference",{
own:this.sheet.preference,judged:null});for(let e of d){for(let n of this.sheet.criteria){let s=n.judge?.[e].score??null;
this.values.set(`score:${e}:${n.path}`,{own:n.own[e],judged:s===null?null:Number(s)})}for(let n of this.sheet.expectations)
this.values.set(`expectation:${e}:${n.index}`,{own:n.own[e],judged:n.judge?.[e].passed??null});for(let n of["strengths",
"weaknesses"])this.values.set(`${n}:${e}`,{own:this.sheet.prose[n][e],judged:null})}}get readOnly(){return this.sheet.finalised}own(e){
let n=this.values.get(e)?.own??{touch:"untouched",shown:null,reason:"",code:""},s=this.outbox.last(e);if(!s)return n;let{
reason:o,code:i,value:a}=s,c=!this.sheet.opened;switch(s.kind){case"set":return{touch:"changed",shown:a,reason:o,code:i,
blind:c};case"confirm":case"confirm_rest":return{touch:"confirmed",shown:a,reason:o,code:i,blind:c};case"cannot_judge":return{
touch:"cannot_judge",shown:this.judged(e),reason:o,code:i,blind:c};default:return{touch:"untouched",shown:this.judged(e),
reason:"",code:"",blind:c}}}judged(e){return this.values.get(e)?.judged??null}snapshot(){return new Map([...this.values.
keys()].map(e=>[e,this.own(e)]))}waits(e){return this.outbox.last(e)!==void 0}addresses(){return[...this.values.keys()].
filter(e=>e.startsWith("score:")||e.startsWith("expectation:"))}untouched(){return this.readOnly?[]:this.addresses().filter(
e=>this.own(e).touch==="untouched"&&this.judged(e)!==null)}needed(){let{opened:e,preference:n,verdict:s,criteria:o}=this.
sheet;if(n&&this.own("preference").touch==="untouched")return"preference";if(!e||s)return this.lacking()[0]??null;let i=c=>d.
find(u=>this.own(`score:${u}:${c.path}`).shown===null),a=o.find(({dimension:c})=>o.every(u=>u.dimension!==c||i(u)));return a?
`score:${i(a)}:${a.path}`:null}wantsReason(e){if(e==="winner"||e==="preference")return this.own(e).touch==="changed";if(this.
sheet.reasons==="off")return!1;let{touch:n,blind:s}=this.own(e);return n==="changed"&&!s||n==="cannot_judge"}lacking(){return this.
own("winner").touch==="changed"?[]:this.sheet.before_opening.filter(e=>this.own(e).touch==="untouched")}change(e,n,s,o={},i={}){
return this.readOnly||this.leaving?this.leaving:(this.outbox.put({target:e,kind:n,value:s,...o},i),this.note="",i.typing?
this.flushSoon():i.later||this.flush(),this.render(),!0)}choose(e,n){let s=this.own(e),o=n===this.judged(e),i=o?"confirm\
ed":"changed";if(s.touch===i&&s.shown!==null&&(typeof n=="boolean"?s.shown===n:Number(s.shown)===n))return!0;let a=o?{}:
{reason:s.reason,code:s.code};return this.change(e,o?"confirm":"set",n,a)}confirm(e,n="confirm"){let s=e.filter(o=>this.
own(o).touch==="untouched"&&this.judged(o)!==null);if(s.length===0||this.readOnly||this.leaving)return!1;for(let o of s)
this.outbox.put({target:o,kind:n,value:this.judged(o)});return this.note="",this.flush(),this.render(),!0}confirmRest(){
let e=this.untouched(),n=this.confirm(e,"confirm_rest");return!n&&!this.leaving&&(this.note="No values of the judge are \
left to confirm."),n&&(this.note=`Confirmed ${p(e.length,"value")} that you had not touched.`,this.offer={note:this.note,
act:()=>this.unconfirm(e)}),this.render(),!0}unconfirm(e){let n=e.filter(s=>this.own(s).touch==="confirmed");if(this.readOnly||
this.leaving)return!1;for(let s of n)this.outbox.put({target:s,kind:"clear"});return this.note=`Taken back: ${p(n.length,
"value is","values are")} not confirmed again.`,this.flush(),this.render(),!0}clear(e){return e&&this.own(e).touch!=="un\
touched"?this.change(e,"clear",null):!1}cannotJudge(e){return e?this.change(e,"cannot_judge",null,{reason:this.own(e).reason}):
!1}explain(e,n,s={}){let o=this.own(e),i=o.touch==="cannot_judge"?"cannot_judge":"set",a=i==="set"?o.shown:null;return this.
change(e,i,a,{reason:o.reason,code:o.code,...n},s)}choosePreference(e){let n=this.own("preference");return n.touch==="ch\
anged"&&n.shown===e?!0:this.change("preference","set",e,{reason:n.reason,code:n.code})}chooseWinner(e){if(e==="")return this.
clear("winner");let n=this.own("winner");return this.change("winner","set",e,{reason:n.reason,code:n.code})}writeReasoning(e){
let n=e.trim()===""?"clear":"set";return this.change("reasoning",n,n==="set"?e:null,{},{typing:!0})}lines(e){let n=this.
edited.get(e);return n&&(this.redrawn===e||this.waits(e)||this.focused()?.dataset.line?.startsWith(`${e}/`))?n:(this.edited.
delete(e),(this.own(e).shown??[]).map((s,o)=>({key:`kept${o}`,text:s})))}editLines(e,n,s={}){this.edited.set(e,n);let o=n.
map(i=>i.text.trim()).filter(Boolean);return this.change(e,"set",o,{},s)}addLine(e,n){if(this.leaving)return;let s={key:`\
new${this.nextLine+=1}`,text:""};this.edited.set(e,[...this.lines(e).slice(0,n),s,...this.lines(e).slice(n)]),this.renderLines(
e),this.focusLine(e,s.key)}renderLines(e){this.redrawn=e,this.render(),this.redrawn=null}focusLine(e,n){this.find(`[data\
-line="${CSS.escape(`${e}/${n}`)}"]`)?.focus()}};var vn="changes",Yn=700,Jn=3e3,Gn=2e4,zn=15e3,Vn=2,Qn=6e4,Xn=1500,Q=800,Zn=600,Wt="No connection to the server, so nothi\
ng was done. Your changes are kept here. Try again once it is back.",es="This review is finalised. Reopen it to change a\
 score.",X="The review was not open yet when you pressed that key. Press it again.",Dt={at:0},z={finalise:"Finalising",finalise_next:"\
Finalising and opening the next pair",skip:"Opening the next pair",cannot_judge:"Opening the next pair",outside_expertise:"\
Opening the next pair",next:"Opening the next pair"},V=class extends G{flushSoon(){clearTimeout(this.timer),this.timer=setTimeout(
()=>this.flush(),Yn)}flush(){clearTimeout(this.timer),this.timer=null,!(this.outbox.items.length===0||this.saving)&&(this.
sentAt=Date.now(),this.save(this.outbox.outgoing()))}askWhoAnswers(){this.saving||this.save(this.outbox.outgoing())}async save(e){
this.saving=!0;let n=await ts({comparison:this.comparisonId,owner:this.owner,began:this.began,seen:this.seen,changes:e});
this.saving=!1,this.offline=n===null,this.sentAt=this.offline?0:Date.now(),this.trouble=n?.problem??"",n?.sheet&&(this.foreign=
n.process!==this.process,this.foreign||this.heard(),this.take(n.sheet,n.refused),this.timer===null&&this.outbox.unsent&&
this.flush()),this.render()}get ending(){return[this.command,...this.queue].map(e=>z[e?.name]).find(Boolean)??null}get leaving(){
return this.ending!==null}goDeaf(e,n=Xn){return this.note=e,this.deafUntil=Date.now()+n,this.render(),!0}ignores(e){if(!([
...e.key].length===1||["Enter","Delete","Backspace"].includes(e.key)))return!1;let s=Date.now()-Dt.at<Zn;return this.leaving||
s?(Dt.at=Date.now(),this.leaving||this.tellSwallowed(),!0):Date.now()>this.deafUntil?!1:(this.deafUntil=Math.max(this.deafUntil,
Date.now()+Q),!0)}tellSwallowed(){this.note||(this.note="Keys pressed while the pair was opening were ignored.",this.render())}tellClosed(){
return this.goDeaf(this.command?.name==="reopen"?X:es)}left(){this.here=!1,this.command=null,this.queue=[],this.note=""}press(e,n="",{
guessed:s=!1}={}){if(this.leaving)return!0;if(this.deafUntil=0,this.sheet.finalised!==["reopen","export","export_provena\
nce","write","reveal","next"].includes(e)&&e!=="retry"&&e!=="stop")return!1;let o=e==="finalise"||e==="finalise_next";return e===
"open_judge"&&this.lacking().length>0?this.showLacking():e==="undo"&&this.note&&this.offer?.note===this.note?this.offer.
act():e==="undo"&&!this.sheet.undoable&&this.outbox.items.length===0?!1:o&&this.outbox.items.length===0&&this.sheet.problems.
length>0?this.stopAtObstacle():o&&this.sheet.guess&&!s?this.ask({kind:"guess",then:e}):this.command?.name===e&&e!=="undo"?
!0:this.offline?this.tellAway():(this.queue.push({name:e,id:de(),text:n}),this.ui.question=null,this.note="",this.command||
this.sendNext(),this.render(),!0)}tellAway(){return this.note=Wt,this.sentAt=0,this.render(),!0}showLacking(){let[e]=this.
lacking(),n=e==="preference"?"":`, or score every criterion of A and B (“cannot judge”, n, is a score): ${this.lacking().
length} to go`;return this.note=`Before the judge's scores open, say which output is better${n}.`,this.render(),this.focusRow(
this.rowOf(e),e.split(":")[1]??"A"),!0}stopAtObstacle(){return this.ui.question=null,this.ui.pressed=!0,this.render(),this.
showObstacle(),!0}showObstacle(){let e=this.needed();if(e){e!=="preference"&&(this.ui.folded=!1),this.focusRow(this.rowOf(
e),e.split(":")[1]??"A");return}let n=this.find(".reason.missing textarea")??this.find(".winner [role=radio]");n?.focus(
{preventScroll:!0}),n?.scrollIntoView({block:"center"})}sendNext(){let e=this.queue.shift();e&&(clearTimeout(this.timer),
this.command=e,this.commandAt=Date.now(),e.name==="undo"&&(this.beforeUndo=this.snapshot()),this.tellCommand())}tellCommand(){
this.sentAt=Date.now();let e=this.outbox.outgoing();this.api.setTriggerValue("command",{...this.command,comparison:this.
comparisonId,outbox:e,seen:this.sheet.saved.length+e.length})}get restarted(){return this.foreign||this.unheard!==null&&
this.unheard>Vn}reload(){if(w(M()))return;let e=`comparator:reloaded:${this.comparisonId}`;try{if(Date.now()-Number(sessionStorage.
getItem(e))<Qn)return;sessionStorage.setItem(e,String(Date.now()))}catch{return}location.reload()}async watch(){if(!this.
watching){this.watching=!0;try{let e=this.outbox.items.length>0&&this.timer===null&&!this.saving;(e||this.command||this.
offline)&&Date.now()-this.sentAt>Jn&&await this.resend(e),this.foreign&&this.reload()}finally{this.watching=!1}this.shownSaved!==
W(this)&&this.render()}}heard(){this.offline=!1,this.unheard=null}async resend(e){let n=await ns();if(this.offline=!n,n?
this.unheard!==null&&(this.unheard+=1):this.unheard=0,this.restarted&&this.reload(),this.command&&(!n||Date.now()-this.commandAt>
zn)){this.note=n?"The server has not answered. Try again if nothing has happened.":Wt;let{name:s,text:o}=this.command;o&&
s in K&&(this.ui.question={kind:"say",name:s,text:o}),this.command=null,this.queue=[],this.render()}this.sentAt=Date.now(),
n&&(this.command?.name in z?this.tellCommand():e&&this.flush())}download({id:e,name:n,text:s,media_type:o}){if(this.downloaded===
e)return;this.downloaded=e;let i=URL.createObjectURL(new Blob([s],{type:o})),a=document.createElement("a");a.href=i,a.download=
n,a.click(),setTimeout(()=>URL.revokeObjectURL(i),1e4)}};async function ts(t){try{return await(await fetch(new URL(vn,document.
baseURI),{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify(t),cache:"no-store",signal:AbortSignal.
timeout(Gn)})).json()}catch{return null}}async function ns(){try{return(await fetch(new URL("_stcore/health",document.baseURI),
{cache:"no-store",signal:AbortSignal.timeout(2500)})).ok}catch{return!1}}var Z=class extends V{rows(){let e=[...this.sheet.criteria.map(n=>n.path),...this.sheet.expectations.map(n=>`expectation\
.${n.index}`)];return this.sheet.preference?this.ui.folded?["preference"]:["preference",...e]:e}get showsCriteria(){return!this.
sheet.preference||!this.ui.folded}toggleCriteria(){return this.sheet.preference?(this.ui.folded=!this.ui.folded,this.render(),
!0):!1}addressOf(e,n){return e==="preference"?e:e.startsWith("expectation.")?`expectation:${n}:${e.slice(12)}`:`score:${n}\
:${e}`}firstOpenRow(){let e=this.rows();return e.find(n=>d.some(s=>this.own(this.addressOf(n,s)).touch==="untouched"))??
e[0]??null}answered(e){return d.some(n=>this.own(this.addressOf(e,n)).touch!=="untouched")}currentRow(){let e=this.rows();
return e.includes(this.ui.row)?this.ui.row:e[0]??""}watchRow(){let e=this.find(`[data-row="${CSS.escape(this.currentRow())}\
"]`),{above:n,below:s}=this.covered,o=`-${n}px 0px -${s}px 0px`;if(e===this.watched&&o===this.watchedMargin||(this.watched=
e,this.watchedMargin=o,this.sight?.disconnect(),!e))return;let i=a=>{let c=a.at(-1).isIntersecting;c===this.rowSeen||e!==
this.watched||(this.rowSeen=c,this.render())};this.sight=new IntersectionObserver(i,{root:e.closest(".sheet"),rootMargin:o,
threshold:.5}),this.sight.observe(e)}goTo(e,n){this.rowSeen||this.focused()!==null?this.focusRow(e,n):this.enter(e)}pointerDown(){
this.pressing=!0,this.byKeys=!1;let e=()=>{this.pressing=!1;for(let n of["pointerup","pointercancel"])window.removeEventListener(
n,e,!0)};for(let n of["pointerup","pointercancel"])window.addEventListener(n,e,!0)}enter(e){this.ui.row!==e&&(this.ui.row=
e,this.render())}focused(){let{activeElement:e}=this.root.getRootNode();return e??null}focusRow(e,n){this.enter(e),this.
ui.shown||this.toggleSheet();let s=CSS.escape(this.addressOf(e,n)),o=this.find(`[data-address="${s}"][tabindex="0"]`),i=this.
find(`[data-row="${CSS.escape(e)}"]`);o?.focus({preventScroll:!0}),this.bringIn(i)}bringIn(e){if(e){for(let n=e.nextElementSibling;n?.
matches(".because, .unfolded");n=n.nextElementSibling)n.scrollIntoView({block:"nearest"});e.scrollIntoView({block:"neare\
st"})}}showRow(e,n=!0){let s=this.focused(),o=s?.getAttribute("role")==="radio"?s.dataset.address:null;return o&&this.find(
`[data-row="${CSS.escape(e)}"] [data-address="${CSS.escape(o)}"][tabindex="0"]`)?.focus({preventScroll:!0}),this.bringIn(
this.find(`[data-row="${CSS.escape(e)}"]`)),n}moveRow(e,n){let s=this.rows();if(s.length===0)return!1;let o=/^(?:score|expectation):B/.
test(n?.dataset.address??"")?"B":"A",i=this.currentRow(),a=n===null&&this.focused()===null&&this.rowSeen&&!this.answered(
i),c=s.indexOf(i)+(a&&e>0?0:e);return this.goTo(s[Math.min(s.length-1,Math.max(0,c))],o),!0}moveStep(e,n){let o=[...n.closest(
"[data-row], .strip").querySelectorAll("[role=radio]")];return o[o.indexOf(n)+e]?.focus(),!0}scoreRow(e,n,s){return!e||e.
startsWith("expectation.")?!1:e==="preference"?this.answerPreference(Y[s-1][0]):(this.choose(this.addressOf(e,n),s),this.
showRow(e))}toggleCheck(e,n){let s=this.addressOf(e,n);return this.choose(s,!this.own(s).shown),this.showRow(e)}lineOf(e){
return this.sheet.criteria.find(n=>n.path===e)??this.sheet.expectations.find(n=>`expectation.${n.index}`===e)}nameOf(e){
let[n,s,...o]=e.split(":"),i=s?`, ${s}`:"";return n==="score"?`${l(this.sheet.criteria.find(a=>a.path===o.join(":"))?.name??
o.join(":"))}${i}`:n==="expectation"?`Expectation ${Number(o[0])+1}${i}`:n==="preference"?"Which output is better":n[0].
toUpperCase()+n.slice(1)+i}rowOf(e){if(e==="preference")return e;let[n,,s]=e.split(":");return n==="score"?s:n==="expect\
ation"?`expectation.${s}`:null}confirmRow(e){if(!e)return!1;this.confirm(d.map(o=>this.addressOf(e,o)));let n=this.rows(),
s=n[n.indexOf(e)+1];return s?this.goTo(s,"A"):this.showRow(e),!0}explained(e,n){return(e==="preference"?[e]:[n,n==="A"?"\
B":"A"].map(o=>this.addressOf(e,o))).find(o=>this.wantsReason(o))}focusReason(e,n){let s=this.explained(e,n),o=s&&this.find(
`[data-reason="${CSS.escape(s)}"]`);return o?(o.focus(),!0):this.goDeaf(`${this.noReason(s)} Keys are ignored for a mome\
nt.`)}noReason(e){return this.sheet.reasons==="off"&&!e?"This project does not ask for reasons.":"A reason goes with a c\
hanged value or “cannot judge”; this row has neither."}focusReasoning(){return this.showsCriteria||this.toggleCriteria(),
this.focusField("[data-reasoning]")}answerBetter(e){if(this.sheet.preference)return this.answerPreference(e==="TIE"?"SAM\
E":e);let n=this.own("winner").shown;return this.chooseWinner(e),this.focusField('[data-reason="winner"]',n!==e)}answerPreference(e){
let n=this.own("preference").shown;return this.choosePreference(e),this.focusField('[data-reason="preference"]',n!==e)}focusField(e,n=!1){
this.ui.shown||this.toggleSheet();let s=this.find(e);return s?(s.focus({preventScroll:!0}),n&&s.select(),s.scrollIntoView(
{block:"center"}),!0):this.goDeaf(this.note)}askCode(e,n){let s=this.explained(e,n);return s&&this.sheet.reason_codes.length>
0?this.ask({kind:"code",address:s}):this.goDeaf(s?"This project has no kinds of reasons. Write one (e).":this.noReason(s))}};var ee=class extends Z{moveTo(e){this.here=!0,this.watched=null,this.root=e,this.tree=[]}follow(){let e=JSON.stringify(this.
covered);this.covered=Je(this.root,this.ui.shown)??this.covered;let n=this.focused();if(e===JSON.stringify(this.covered)||
!this.byKeys||n?.getAttribute("role")!=="radio")return;let s=this.find(`[data-row="${CSS.escape(this.currentRow())}"]`);
s?.contains(n)&&this.bringIn(s)}toggleSheet(){return this.ui.shown=!this.ui.shown,ve(this.ui.shown),this.render(),!0}take(e,n){
let s=this.sheet&&Date.parse(e.read_at)<Date.parse(this.sheet.read_at);s||(this.sheet=e,this.index());let o=new Map(n.map(
({id:a,why:c})=>[a,c]));this.takeRefusals(o);let i=this.outbox.drop(new Set([...e.saved,...o.keys()]));return i?this.savedAt=
Date.now():this.savedAt??=e.saved_at?new Date(e.saved_at).getTime():null,this.sheet.problems.length===0&&(this.ui.pressed=
!1),s&&e.read_at!==this.lateAt&&!this.saving&&(this.lateAt=e.read_at,this.save(this.outbox.outgoing())),i}receive(e){let{
data:n}=e;this.api=e,Se(n.rules),Le(n.flags),Ee(n.words),Ae(n.probability),this.began=n.began,this.seen=n.seen,this.after=
n.after,this.names=n.names,this.process!==n.process&&(this.foreign=!1),this.process=n.process;let s=this.take(n.sheet,n.
refused),o=n.handled.some(a=>!this.handled.has(a));(s||o)&&this.heard(),this.handled=new Set(n.handled),(o||n.note)&&(this.
note=n.note||(this.note===X?X:""));let i=this.command&&this.handled.has(this.command.id)?this.command.name:null;i&&(this.
command=null,i==="undo"&&!this.note&&this.tellUndone(),this.sendNext()),this.ui.question?.kind==="guess"&&!this.sheet.guess&&
(this.ui.question=null),this.ui.row??=this.firstOpenRow(),i in z&&!this.sheet.finalised&&!this.leaving&&this.stay(i),this.
render(),n.download&&this.download(n.download)}tellUndone(){let e=this.beforeUndo??new Map,n=f=>f.touch==="untouched",s=[
...e.keys()].find(f=>!$e(e.get(f),this.own(f))&&!(n(e.get(f))&&n(this.own(f))));if(!s)return;let[o,i]=[e.get(s),this.own(
s)],[a,c]=T(o)===T(i)?[se(o),se(i)]:[T(o),T(i)];this.note=`Undone: ${this.nameOf(s)}: ${a} → ${c}`;let u=this.rowOf(s);
u&&(this.ui.row=u),u&&this.sheet.preference&&u!=="preference"&&(this.ui.folded=!1),this.render();let h=u?`[data-row="${CSS.
escape(u)}"]`:s==="reasoning"?"[data-reasoning]":`[data-line^="${CSS.escape(s)}/"], .winner`;this.find(h)?.scrollIntoView(
{block:"center"})}takeRefusals(e){let n=new Set(this.sheet.saved),s=this.outbox.items.filter(i=>e.has(i.id)&&!n.has(i.id));
if(!this.sheet.finalised||s.length===0){for(let i of s)this.refusals.set(i.id,e.get(i.id));return}let o=[...new Set(s.map(
i=>i.target))].map(i=>this.nameOf(i)+xe(this.outbox.last(i)));this.refusals.set("late",`${o.join("; ")}. The review was \
already finalised, so this change was dropped. Reopen the review to make it.`)}stay(e){this.deafUntil=Date.now()+Q,e.startsWith(
"finalise")&&(this.note===this.sheet.problems.join(" ")&&(this.note=""),this.sheet.problems.length>0&&this.stopAtObstacle())}unfold(e,n){
return n?(this.ui[e].delete(n)||this.ui[e].add(n),this.render(),!0):!1}dismiss(e){this.refusals.delete(e),this.render()}ask(e){
if(this.leaving)return!0;let n=this.ui.question?.kind===e.kind&&this.ui.question.name===e.name&&e.kind!=="guess";return this.
ui.question||(this.askedFrom=M()),this.ui.question=n?null:e,this.note="",this.render(),this.focusQuestion()}focusQuestion(){
return this.find(".asking textarea, .asking input, .asking button")?.focus(),!0}closeQuestion(){return this.ui.question=
null,this.render(),this.askedFrom instanceof HTMLIFrameElement&&this.askedFrom.isConnected?this.askedFrom.focus({preventScroll:!0}):
this.rowSeen&&this.focusRow(this.currentRow(),"A"),!0}showKeys(){return this.dialog?.showModal(),!0}get dialog(){return this.
find("dialog")}visible(){return this.root.isConnected&&this.root.getClientRects().length>0}render(){if(!this.here)return;
this.shownSaved=W(this),this.rowSeen??=!0;let e=this.showsCriteria?[st(this),bt(this),It(this)]:[],n=[r("section",{class:"\
sheet",key:"sheet",id:"bc-scores",hidden:!this.ui.shown,"aria-label":"Scores",tabindex:"-1","data-comparison":this.comparisonId},
xt(this),Ie(this),yt(this),e,Rt(this),wt(this)),$t(this),Nt(this)],s=this.focused();D(this.root,this.tree,n),this.tree=n,
w(s)&&!s?.isConnected&&(this.deafUntil=Date.now()+Q),this.follow(),ae(this),this.watchRow()}};var j=new Map,Ft=({sheet:t,owner:e})=>`${t.comparison_id}:${e}`;function ss(t){let e=Ft(t);return j.has(e)||j.set(e,new ee(
t.sheet.comparison_id,t.owner)),j.get(e)}function os(t){for(let n=t.getRootNode().host??t;n;n=n.parentElement)n.scrollTop>
0&&(n.scrollTop=0);let e=t.querySelector(".sheet");e&&(e.scrollTop=0)}function Mt(t){let{data:e,parentElement:n}=t.api,s=j.
size,o=ss(e);s>0&&j.size>s&&os(n),t.view!==o&&(t.view?.left(),t.root.replaceChildren(),t.view=o,o.moveTo(t.root),queueMicrotask(
()=>o.flush())),o.receive(t.api),Te(o)}var fe=new WeakMap,rs=100;function Do(t){let{parentElement:e,data:n}=t,s=fe.get(e);
if(!s){let i=document.createElement("div");i.className="root",e.appendChild(i),s={root:i,calls:0,view:null,api:t,wait:()=>{}};
let a=()=>s.view?.root===i?s.view:null,c=()=>a()?.follow(),u=new ResizeObserver(c);u.observe(i),u.observe(document.documentElement),
window.addEventListener("resize",c);let h=Ct(a),f=_e(a),qt=Be(a),Pt=setInterval(()=>a()?.watch(),1e3);s.stop=()=>{s.wait();
let pe=a();pe?.left(),clearInterval(Pt),h(),f(),qt(),pe&&Ge(),u.disconnect(),window.removeEventListener("resize",c),i.remove(),
fe.delete(e)},fe.set(e,s)}s.calls+=1,s.api=t;let o=s.calls;return s.wait(),j.get(Ft(n))?.root===s.root?Mt(s):s.wait=ge(()=>Mt(
s)),()=>setTimeout(()=>s.calls===o&&s.stop(),rs)}export{Do as default};
