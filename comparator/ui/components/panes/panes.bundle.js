// Made by `npm run bundle` from panes/js/main.js; do not edit.
var et=()=>window.innerWidth>=1200,Wt=()=>`comparator:panel:${et()?"rail":"drawer"}`;function Ut(){try{let o=localStorage.
getItem(Wt());if(o!==null)return o==="shown"}catch{}return et()||window.innerHeight>=900}var tt={usual:.4,narrow:.34,below:768,least:.5,panes:.45,rows:120},Ft=()=>(window.innerWidth<tt.below?tt.narrow:tt.usual)*
window.innerHeight;var wt=["--bc-rail","--bc-drawer","--bc-bar"],_t="comparator:room";function bt(){if(document.documentElement.style.getPropertyValue(wt[0]))return;let o=null;try{o=JSON.parse(localStorage.
getItem(_t)??"null")}catch{}let{width:t,height:e}=Jt();Gt(o?.width===t&&o.height===e?o.taken:Kt(t,e))}function Kt(o,t){let e=Ut(),
s=e&&et()?Math.min(Math.max(356,.24*o),380):0;return{"--bc-bar":71,"--bc-rail":s,"--bc-drawer":e&&!s?Ft():0}}var Jt=()=>({
width:window.innerWidth,height:window.innerHeight});function Gt(o){for(let t of wt)document.documentElement.style.setProperty(
t,`${Number(o[t])}px`)}function h(o,{attributes:t={},children:e=[],text:s=null,on:i={}}={}){let n=document.createElement(o);for(let[r,l]of Object.
entries(t))l!==null&&l!==!1&&n.setAttribute(r,l===!0?"":l);s!==null&&(n.textContent=s);for(let r of e)r&&n.append(r);for(let[
r,l]of Object.entries(i))n.addEventListener(r,l);return n}var Qt={link:"M9 15l6-6M10.5 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6l-1.\
8 1.8M13.500 17.500l-1.800 1.800a4.200 4.200 0 0 1-6-6l1.800-1.800",swap:"M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",download:"\
M12 4v11M7 10.500l5 5 5-5M5 20h14",left:"M14.500 5l-7 7 7 7",right:"M9.500 5l7 7-7 7",list:"M4 6h16M4 12h16M4 18h10",close:"\
M6 6l12 12M18 6L6 18",tick:"M5 12.500l4.500 4.500L19 7.500",apart:"M10 12H3M6 9l-3 3 3 3M14 12h7M18 9l3 3-3 3",differ:"M\
5 9h14M5 15h14M16 4L8 20",undo:"M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9"};function st(o){let t="http://www.w3.org/2000/svg",
e=document.createElementNS(t,"svg");e.setAttribute("viewBox","0 0 24 24"),e.setAttribute("aria-hidden","true");let s=document.
createElementNS(t,"path");return s.setAttribute("d",Qt[o]),e.append(s),e}function u(o,{symbol:t=null,text:e=null,pressed:s=null,
press:i,kind:n=""}){let r=h("button",{attributes:{type:"button",title:o,"aria-label":o,class:n||null},children:t?[st(t)]:
[],on:{click:i}});return e!==null&&r.append(h("span",{text:e})),s!==null&&r.setAttribute("aria-pressed",String(s)),r}function g(o,t){
let e=Array.from(o);if(e.length<=t)return o;let s=Math.ceil((t-1)*.6);return e.slice(0,t-1-s).join("")+"…"+e.slice(-s).
join("")}var it={input:"Task input",reference:"Reference answer"},b={same_path:{chip:"Same path",tag:"",says:"in A and B under th\
e same path"},same_role:{chip:"Other name",tag:"other name",says:"the same deliverable under another name"},renamed:{chip:"\
Renamed",tag:"renamed?",says:"probably renamed"},by_hand:{chip:"By hand",tag:"by hand",says:"paired by hand"},only_a:{chip:"\
Only in A",tag:"",says:"only in A"},only_b:{chip:"Only in B",tag:"",says:"only in B"},identical:{chip:"Identical",tag:"s\
ame",says:"identical in A and B"},same_text:{chip:"Same text",tag:"same text, different layout",says:"with the same text\
 and a different layout"},same_words:{chip:"Same text",tag:"same text",says:"with the same text; the layout is not compa\
red"},task:{chip:"Task",tag:"",says:"of the task"}};function L(o){if(!o)return null;let[t,e,s,i,n,r]=o;return{id:t,name:e,
family:s,size:i,notes:n||[],pages:!!r}}function xt(o){let t=o.pairs.map(([s,i,n,r,l,a])=>{let c={a:L(s),b:L(i),identical:!!r,
byHand:!!l,role:null},d=p=>p.pages||p.family==="pdf",f=a&&(d(c.a)&&d(c.b)?"same_text":"same_words");return yt(c,r?"ident\
ical":f||n)}),e=o.extras.map(([s,i])=>yt({a:L(i),b:null,identical:!1,byHand:!1,role:s},"task"));return[...t,...e]}function yt(o,t){
o.kind=t,o.files=[o.a,o.b].filter(Boolean),o.id=o.role?o.a.id:`${o.a?.id||""}.${o.b?.id||""}`,o.names=[...new Set(o.files.
map(s=>s.name))],o.low=o.names.join(`
`).toLowerCase();let e=o.names[0]||"";return o.folder=e.includes("/")?e.slice(0,e.lastIndexOf("/")):"",o}var w=(o,t)=>o.
files.every(e=>t.has(e.id)),Zt=o=>o.slice(o.lastIndexOf("/")+1);function T(o,t,e=!1){let s=o.names.map((i,n)=>(e||n>0)&&
i.slice(0,Math.max(0,i.lastIndexOf("/")))===o.folder?Zt(i):i);return s.map(i=>g(i,s.length>1?Math.floor(t*.6):t)).join("\
 ⇄ ")}function M(o){let t=o.role?it[o.role]||o.role:b[o.kind].says;return o.byHand&&o.kind!=="by_hand"?`${t}, by hand`:
t}function N(o){return o.role?[]:["a","b"].map(t=>h("b",{attributes:{class:o[t]?`mark ${t}`:"mark none"},text:o[t]?t.toUpperCase():
"–"}))}var Vt=100,Yt=window.requestIdleCallback||(o=>setTimeout(o,50)),R=class{constructor(t){this.panes=t,this.files=null,this.
ready=null,this.timer=0}follow(t){this.files=t?.length?t:null,this.seen()}seen(){clearTimeout(this.timer),this.files&&(this.
timer=setTimeout(()=>this.load(),Vt))}load(){let t=JSON.stringify(this.files);if(t===this.ready||[this.panes.a,this.panes.
b].some(n=>n.current?.state==="loading"))return;this.ready=t;let[e,s]=this.files.map(L),i=(n,r,l)=>Yt(()=>this.ready===t&&
n.prepare(r,l),{timeout:1e3});i(this.panes.a,e,()=>i(this.panes.b,s,()=>{}))}moved(){this.stop(),this.files=this.ready=null,
this.panes.a.forget(),this.panes.b.forget()}stop(){clearTimeout(this.timer)}};var I=class{constructor(t){this.owner=t,this.entry=null,this.since=0,this.timer=0}turn(t){t!==this.entry&&(this.entry=t,
this.since=Date.now(),clearTimeout(this.timer),this.timer=setTimeout(()=>this.enough(),4e3))}enough(){if(document.visibilityState!==
"visible"){this.timer=setTimeout(()=>this.enough(),4e3);return}this.mark()}scrolled(){Date.now()-this.since>1200&&this.mark()}mark(){
let t=(this.entry?.files||[]).map(e=>e.id).filter(e=>!this.owner.looked.has(e));clearTimeout(this.timer),t.length&&this.
owner.mark(t)}stop(){clearTimeout(this.timer),this.entry=null}};var P=new Map,m=o=>o.startsWith("differences/"),q=class{constructor(t){this.panes=t,this.at=0,this.summary=null,this.toggler=
u("Show differences (d)",{symbol:"differ",text:"Differences",pressed:!1,press:()=>this.toggle()}),this.toggler.setAttribute(
"aria-label","Show differences"),this.back=u("Previous change (,)",{symbol:"left",press:()=>this.go(-1)}),this.count=h("\
span",{attributes:{class:"count"}}),this.forth=u("Next change (.)",{symbol:"right",press:()=>this.go(1)}),this.steps=h("\
span",{attributes:{class:"steps",role:"group","aria-label":"Changes",hidden:!0},children:[this.back,this.count,this.forth]}),
this.state=h("span",{attributes:{class:"said",role:"status"}}),this.node=h("span",{attributes:{class:"differences"},children:[
this.state,this.steps,this.toggler]}),this.onToggle=()=>this.toggle(),window.addEventListener("comparator:toggle-differe\
nces",this.onToggle)}close(){window.removeEventListener("comparator:toggle-differences",this.onToggle)}get memory(){return this.
panes.memory}get shown(){return[this.panes.a,this.panes.b].some(t=>t.file&&t.current&&m(t.current.mode))}toggle(){if(!this.
panes.node.isConnected||!this.panes.entry)return;let{entry:t}=this.panes;this.memory.get("differences")?!this.shown&&t===
this.notDrawn?this.memory.put("anyway",t.id,!0):this.memory.set("differences",!1):this.memory.set("differences",!0),this.
apply()}async apply(){let{entry:t}=this.panes;if(this.at=0,this.notDrawn=null,this.summary=null,this.draw(""),!this.memory.
get("differences")){this.leave();return}if(!t||t.role||!t.a||!t.b){this.draw(t&&!t.role?"Only one output has this file.":
"");return}let e=setTimeout(()=>t===this.panes.entry&&this.draw("Comparing…"),200),s=t.identical?{problem:"Both files \
are identical."}:await this.compared(t);if(clearTimeout(e),!(t!==this.panes.entry||!this.memory.get("differences")))if(s.
problem)this.draw(s.problem);else if(s.little&&!this.memory.get("anyway")[t.id])this.notDrawn=t,this.draw(`These two hav\
e little in common (${s.percent}%). Press again to see the differences.`);else{this.summary=s;let[i,n]=this.ids(t);for(let[
r,l]of[[this.panes.a,n],[this.panes.b,i]])r.open(`differences/${encodeURIComponent(l)}/${r.side}`,1);this.draw("")}}ids(t){
let e=[t.a,t.b].some(s=>this.memory.get("modes")[s.id]==="content");return t.a.pages&&t.b.pages&&!e?[`${t.a.id}.pages`,`${t.
b.id}.pages`]:[t.a.id,t.b.id]}async compared(t){let[e,s]=this.ids(t),i=`${e}/${s}`;if(!P.has(i)){let n=`${this.panes.prefix}\
/${encodeURIComponent(e)}/differences/${encodeURIComponent(s)}/summary`;P.set(i,fetch(n).then(r=>r.ok?r.json():Promise.reject()).
catch(()=>(P.delete(i),{problem:"The differences could not be loaded: the server did not answer."})))}return P.get(i)}leave(){
for(let t of[this.panes.a,this.panes.b])!t.file||!t.current||!m(t.current.mode)||t.open(this.memory.get("modes")[t.file.
id]||"view",this.memory.get("pages")[t.file.id]||1)}turned(){this.shown&&(this.memory.set("differences",!1),this.apply())}go(t){
let e=this.summary?.changes||0;e&&this.to(this.at?(this.at-1+t+e)%e+1:t>0?1:e)}to(t){this.at=Math.min(Math.max(t,1),this.
summary?.changes||1);for(let e of[this.panes.a,this.panes.b]){let s=e.current;if(!s||!m(s.mode))continue;let{first:i,last:n}=s.
facts||{};s.state==="ready"&&this.at>=Number(i)&&this.at<=Number(n)?s.reveal(this.at):(e.row=this.at,e.open(s.mode,0),e.
row=0)}this.draw("")}draw(t){this.state.textContent=t,this.toggler.setAttribute("aria-pressed",String(!!this.summary)),this.
toggler.title=this.summary?`${this.summary.words} (d)`:"Show differences (d)",this.steps.hidden=!this.summary?.changes,this.
count.textContent=this.summary?`${this.at||"–"} / ${this.summary.changes.toLocaleString("en")}`:"",this.node.hidden=!!this.
panes.entry?.role}};var Xt=40,B=class{constructor(t){this.owner=t,this.text="",this.counts=new Map,this.answer=null,this.at=null,this.back=u(
"Previous hit (,)",{symbol:"left",press:()=>this.go(-1)}),this.forth=u("Next hit (.)",{symbol:"right",press:()=>this.go(
1)}),this.says=h("span",{attributes:{class:"says",role:"status"}}),this.node=h("span",{attributes:{class:"hits",hidden:!0,
role:"group","aria-label":"Search hits"},children:[this.says,this.back,this.forth,u("Clear the search",{symbol:"close",press:()=>this.
end()})]})}ask(t){t!==this.text&&(this.text=t,this.answer=null,this.counts=new Map,this.at=null,t.length>=2&&this.owner.
ask(t),this.draw(),this.owner.changed())}end(){this.ask(""),this.owner.ended()}answered(t){!t||t.text!==this.text||t.id===
this.answer?.id||(this.answer=t,this.counts=new Map(t.hits),t.left&&!t.problem&&this.owner.ask(this.text),this.draw(),this.
owner.changed())}get total(){let t=0;for(let e of this.counts.values())t+=e;return t}about(){if(this.text.length<2)return this.
text?"Type at least two letters to search the text.":"";let{answer:t}=this;if(!t)return"Searching the text…";if(t.problem)
return t.problem;let e=this.counts.size,s=e?`${this.total.toLocaleString("en")} in the text of ${e.toLocaleString("en")}\
 file${e===1?"":"s"}`:"not in the text of any file",i=t.left?`, ${t.left.toLocaleString("en")} files to go`:t.unread?`; ${t.
unread} have no text`:"";return s+i}places(){let t=[];for(let e of this.owner.entries())for(let s of["a","b"]){let i=e[s]&&
this.counts.get(e[s].id)||0;i&&t.push({entry:e,side:s,count:i,id:e[s].id})}return t}draw(){if(this.node.hidden=!this.counts.
size,this.node.hidden){for(let s of this.owner.frames())s.lit=null,s.ask("unmark");return}let t=0;for(let s of this.places()){
if(s.id===this.at?.id)break;t+=s.count}let e=this.at?`${(t+this.at.nth+1).toLocaleString("en")} of `:"";this.says.textContent=
`${e}${this.total.toLocaleString("en")} ${this.total===1?"hit":"hits"}`;for(let s of this.owner.frames())this.light(s)}async light(t){
return t.state!=="ready"||!this.counts.get(t.file.id)?0:(t.lit?.text!==this.text&&(t.lit={text:this.text,count:t.ask("fi\
nd",this.text)}),await t.lit.count||0)}loaded(t){this.counts.size&&this.light(t)}async open(t){let e=this.places().find(
s=>s.entry===t);e&&await this.show(e,0,1)}async go(t){let e=this.places();if(!(!e.length||this.busy)){this.busy=!0;try{let s=e.
findIndex(n=>n.id===this.at?.id);if(s>=0&&await this.show(e[s],this.at.nth+t,t)||s<0&&(s=e.findIndex(n=>n.entry===this.owner.
current()),s>=0&&await this.show(e[s],0,1)))return;let i=e[(s+t+e.length)%e.length];await this.show(i,t>0?0:1/0,t)}finally{
this.busy=!1}}}async show(t,e,s){if(e<0)return!1;this.owner.current()!==t.entry&&this.owner.choose(t.entry);let i=this.owner.
pane(t.side),n=()=>i.file?.id!==t.id,r=i.current;if(await r.ready(),n())return!0;if(e===0&&r.pages>1&&!await this.light(
r)){let d=await i.whereabouts(this.text,r.served);if(d&&!d.sheet&&!n()&&(r=i.open(d.mode,d.page),await r.ready()),n())return!0}
let l=this.at?.id!==t.id,a=l?0:this.at.before;for(let d=0;d<Xt;d+=1){let f=await this.light(r);if(n())return!0;let p=e===
1/0?f-1:e-a;if(p>=0&&p<f){this.at={id:t.id,nth:a+p,before:a},this.draw();for(let $ of this.owner.frames())$.ask("hit",$===
r?p:-1);return!0}let v=p<0?-1:1,S=r.page+v;if(S<1||S>r.pages)break;if(v>0&&(a+=f),r=i.open(r.mode,S),await r.ready(),n())
return!0;v<0&&(a=Math.max(0,a-await this.light(r)))}if(!l||s<0)return!1;let c=await i.quote({text:this.text,start:null});
return c&&(this.at={id:t.id,nth:0,before:0}),this.draw(),c}};var kt="comparator:findings";function te(){try{return localStorage.getItem(kt)==="shown"}catch{return!1}}function ee(o){
try{localStorage.setItem(kt,o?"shown":"none")}catch{}}var z=class{constructor(){this.place=null,this.open=null,this.detail=
{findings:[],step:""},this.about=h("div",{attributes:{class:"about",id:"bc-finding",hidden:!0}}),this.line=h("div",{attributes:{
class:"summary",role:"status"}}),this.node=h("div",{attributes:{class:"findings","aria-label":"Findings about this pair",
role:"region",hidden:!te()},children:[this.line,this.about]}),this.onFindings=t=>{t.detail?.place===this.place&&(this.detail=
t.detail,this.draw(),ee(!this.node.hidden))},window.addEventListener("comparator:findings",this.onFindings)}close(){window.
removeEventListener("comparator:findings",this.onFindings)}moved(t){this.place=t,this.open=null,this.detail={findings:[],
step:""};let{hidden:e}=this.node;this.draw(),this.node.hidden=e,window.dispatchEvent(new CustomEvent("comparator:finding\
s-wanted"))}draw(){let{findings:t,step:e}=this.detail;this.node.hidden=!t.length&&!e;let s=t.map(r=>h("button",{attributes:{
type:"button",class:`finding ${r.tone}`,"aria-expanded":String(this.open===r.kind),"aria-controls":"bc-finding",title:r.
about},text:r.name,on:{click:()=>{this.open=this.open===r.kind?null:r.kind,this.draw()}}})),i=e?[h("span",{attributes:{class:"\
step"},text:`Judge: ${e} …`}),u("Stop the judge",{text:"Stop",kind:"stop",press:()=>window.dispatchEvent(new CustomEvent(
"comparator:command",{detail:{name:"stop"}}))})]:[];this.line.replaceChildren(...i,...s);let n=t.find(r=>r.kind===this.open);
this.about.hidden=!n,this.about.replaceChildren(...n?[n.about,...n.lines.map(r=>h("blockquote",{text:r}))]:[])}};var vt="comparator:outputs-asked",se="comparator:outputs-there";var j=class{constructor(t){this.coming=t,this.onAsked=e=>{e.detail.coming||=t()},window.addEventListener(vt,this.onAsked)}there(){
this.coming()||requestAnimationFrame(()=>setTimeout(()=>window.dispatchEvent(new CustomEvent(se))))}close(){window.removeEventListener(
vt,this.onAsked)}};var ie={"]":"next-file","[":"previous-file","/":"search",f:"files",x:"looked",s:"source",w:"which",l:"linked",".":"next-\
hit",",":"previous-hit",v:"evidence",m:"comment",g:"into-a",G:"into-b","+":"zoom-in","-":"zoom-out","|":"zoom-fit"},oe="\
textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=grid], input:not([type=checkbox]):not([\
type=radio]):not([type=button])",D=class{constructor(t){this.onKey=e=>{if(e.defaultPrevented||e.isComposing||e.ctrlKey||
e.metaKey||e.altKey)return;let s=e.composedPath()[0];if(s instanceof Element&&s.closest(oe)||document.querySelector("[ro\
le=dialog]:not([hidden]), dialog[open]"))return;let i=ie[e.key];i&&t(i)&&e.preventDefault()},this.onAct=e=>t(e.detail?.do),
document.addEventListener("keydown",this.onKey),window.addEventListener("comparator:panes",this.onAct)}close(){document.
removeEventListener("keydown",this.onKey),window.removeEventListener("comparator:panes",this.onAct)}};var E=28,St=12,Et=new Intl.Collator("en",{numeric:!0}),H=class{constructor(t){this.owner=t,this.entries=[],this.aside={both:[],
files:[]},this.current=null,this.only=null,this.joining=null,this.open=new Set,this.folded=new Set,this.at=-1,this.input=
h("input",{attributes:{type:"search",placeholder:"Search names and text","aria-label":"Search names and text of all file\
s",maxlength:"200",spellcheck:"false"},on:{input:()=>this.typed(),keydown:e=>this.key(e)}}),this.state=h("span",{attributes:{
class:"state",role:"status"}}),this.chips=h("div",{attributes:{class:"chips",role:"group","aria-label":"Kinds of files"}}),
this.hint=h("p",{attributes:{class:"hint",hidden:!0}}),this.rows=h("div",{attributes:{class:"rows"}}),this.body=h("div",
{attributes:{class:"scroll",role:"group","aria-label":"Found files",tabindex:"-1"},children:[this.rows],on:{scroll:()=>this.
paint()}}),this.node=h("div",{attributes:{class:"list",role:"dialog","aria-label":"All files",hidden:!0},children:[h("di\
v",{attributes:{class:"top"},children:[this.input,u("Close (Escape)",{symbol:"close",press:()=>this.hide()})]}),this.state,
this.chips,this.hint,this.body],on:{keydown:e=>{e.key==="Escape"&&(e.stopPropagation(),this.hide())}}})}get shown(){return!this.
node.hidden}update(t,e){this.entries=[...t].sort((s,i)=>Et.compare(s.names[0],i.names[0])),this.aside=e,this.joining=null,
this.refresh()}toggle(){this.shown?this.hide():this.show()}show(){this.node.hidden=!1,this.refresh(),this.reveal(this.current),
this.owner.warm(),this.input.focus({preventScroll:!0}),this.input.select()}hide(){this.node.hidden=!0,this.joining=null,
this.owner.closed()}typed(){this.at=-1,this.refresh(),clearTimeout(this.waiting),this.waiting=setTimeout(()=>this.owner.
search(this.input.value.trim()),200)}get filter(){return this.input.value.trim().toLowerCase()}hits(t){return t.files.reduce(
(e,s)=>e+(this.owner.found.get(s.id)||0),0)}matches(t){return this.joining?!t.role&&t!==this.joining&&!!t[this.joining.a?
"b":"a"]&&(!this.filter||t.low.includes(this.filter)):this.only&&t.kind!==this.only?!1:!this.filter||t.low.includes(this.
filter)||this.hits(t)>0}lines(){let t=[],e=this.filter!==""||this.only!==null||this.joining!==null,s=this.entries.filter(
a=>this.matches(a)),i=new Map;for(let a of s){let c=a.identical&&!e?"\0same":a.role?"\0task":a.folder;i.has(c)||i.set(c,
[]),i.get(c).push(a)}let n=[...i.keys()].filter(a=>!a.startsWith("\0")).sort(Et.compare),r=n.length===1&&n[0]==="",l=(a,c,d,f)=>{
if(c&&t.push({head:a,title:c,count:d.length,folded:f}),!f)for(let p of d)t.push({entry:p,short:c&&a===p.folder})};for(let a of n)
l(a,r?"":a||"(top folder)",i.get(a),!e&&this.folded.has(a));for(let[a,c]of[["\0task","Task"],["\0same","Identical"]])i.has(
a)&&l(a,c,i.get(a),a==="\0same"?!this.open.has(a):this.folded.has(a));if(!e||this.only==="aside"){let a=this.asideFiles;
if(a.length){let c=!this.open.has("\0aside")&&this.only!=="aside";if(t.push({head:"\0aside",title:"Set aside, not judged",
count:a.length,folded:c}),!c)for(let d of a)t.push({aside:d})}}return t}get asideFiles(){return this.aside.files.length?
this.aside.files:this.aside.both.map(t=>({label:"",name:t,reason:""}))}refresh(){if(!this.shown)return;this.drawChips(),
this.all=this.lines(),this.rows.style.height=`${this.all.length*E}px`;let t=this.owner.about();this.state.textContent=t,
this.state.hidden=!t,this.hint.hidden=!this.joining,this.joining&&this.hint.replaceChildren(h("span",{text:`Which file o\
f ${this.joining.a?"B":"A"} belongs to ${g(this.joining.names[0],40)}?`}),u("Do not pair",{text:"Cancel",press:()=>{this.
joining=null,this.refresh()}})),this.paint()}drawChips(){let t=new Map;for(let i of this.entries)t.set(i.kind,(t.get(i.kind)||
0)+1);this.asideFiles.length&&t.set("aside",this.asideFiles.length);let e=this.entries.filter(i=>w(i,this.owner.looked)).
length,s=[...Object.keys(b),"aside"].filter(i=>t.has(i)).map(i=>{let n=i==="aside"?"Set aside":b[i].chip;return u(`Show \
only: ${n}`,{text:`${n} ${t.get(i).toLocaleString("en")}`,pressed:this.only===i,press:()=>{this.only=this.only===i?null:
i,this.body.scrollTop=0,this.refresh()}})});this.chips.replaceChildren(...s,h("span",{attributes:{class:"count"},text:`${e.
toLocaleString("en")} of ${this.entries.length.toLocaleString("en")} looked at`}))}paint(){if(!this.all)return;let t=Math.
max(0,Math.floor(this.body.scrollTop/E)-St),e=Math.min(this.all.length,Math.ceil((this.body.scrollTop+this.body.clientHeight)/
E)+St),s=this.rows.getRootNode().activeElement?.dataset?.line,i=[];for(let n=t;n<e;n+=1){let r=this.row(this.all[n],n);r.
style.top=`${n*E}px`,i.push(r)}this.all.length||i.push(h("p",{attributes:{class:"nothing"},text:"No file matches this na\
me or text."})),this.rows.replaceChildren(...i),s!==void 0&&this.rows.querySelector(`[data-line="${CSS.escape(s)}"]`)?.focus(
{preventScroll:!0})}row(t,e){if(t.aside){let{label:s,name:i,reason:n}=t.aside;return h("div",{attributes:{class:"line as\
ide",title:`${i}${n?`: ${n}`:""}`},children:[s?h("b",{attributes:{class:`mark ${s.toLowerCase()}`},text:s}):null,h("span",
{attributes:{class:"name"},text:g(i,60)}),h("small",{text:n}),u("Judge this file anyway",{text:"Judge it",press:()=>this.
owner.takeBack(i)})]})}return t.head!==void 0?h("button",{attributes:{type:"button",class:"line head","aria-expanded":String(
!t.folded),"data-line":`head ${t.head}`,title:t.title},children:[h("span",{attributes:{class:"name"},text:`${t.folded?"▸":
"▾"} ${g(t.title,60)}`}),h("small",{text:t.count.toLocaleString("en")})],on:{click:()=>this.fold(t)}}):this.entryRow(t,
e)}fold(t){let e=t.head==="\0same"||t.head==="\0aside"?this.open:this.folded;e.has(t.head)?e.delete(t.head):e.add(t.head),
this.refresh()}entryRow({entry:t,short:e},s){let i=w(t,this.owner.looked),n=this.hits(t),r=b[t.kind].tag,l=t.role||this.
joining?[]:this.acts(t),a=h("button",{attributes:{type:"button",class:"open","aria-current":String(t===this.current),"da\
ta-line":t.id,title:`${t.names.join(" and ")}: ${M(t)}${i?", looked at":""}`},children:[h("span",{attributes:{class:"nam\
e"},text:T(t,54,e)}),n?h("small",{attributes:{class:"hits"},text:`${n.toLocaleString("en")} hit${n===1?"":"s"}`}):null,r?
h("small",{text:r}):null,t.byHand&&t.kind!=="by_hand"?h("small",{text:"by hand"}):null,...N(t)],on:{click:()=>this.pick(
t)}}),c=h("button",{attributes:{type:"button",class:i?"dot seen":"dot","aria-pressed":String(i),tabindex:"-1",title:i?"V\
iewed; clear the mark":"Mark as viewed","aria-label":`Looked at: ${t.names[0]}`},on:{click:()=>this.owner.tick(t)}}),d=[
"line",t===this.current?"current":"",s===this.at?"at":""].join(" ");return h("div",{attributes:{class:d},children:[c,a,...l]})}acts(t){
let e=[];return t.a&&t.b?e.push(u("Unpair these files",{symbol:"apart",press:()=>this.owner.apart(t)})):e.push(u(`Pair w\
ith a file of ${t.a?"B":"A"}`,{symbol:"link",press:()=>{this.joining=t,this.input.value="",this.body.scrollTop=0,this.refresh(),
this.input.focus()}})),t.byHand&&e.push(u("Undo pairing by hand",{symbol:"undo",press:()=>this.owner.unpair(t)})),e}pick(t){
if(!this.joining){this.owner.choose(t);return}let[e,s]=this.joining.a?[this.joining.a,t.b]:[t.a,this.joining.b];this.joining=
null,this.owner.pair(e,s)}select(t){this.current=t,this.shown&&this.paint()}reveal(t){let e=this.all?.findIndex(i=>i.entry===
t)??-1;if(e<0)return;let s=e*E;(s<this.body.scrollTop||s+E>this.body.scrollTop+this.body.clientHeight)&&(this.body.scrollTop=
Math.max(0,s-this.body.clientHeight/3)),this.paint()}key(t){if(t.isComposing)return;let e={ArrowDown:1,ArrowUp:-1}[t.key];
if(e){t.preventDefault();let s=this.at+e;for(;this.all[s]&&!this.all[s].entry;)s+=e;this.all[s]&&(this.at=s,this.reveal(
this.all[s].entry))}else if(t.key==="Enter"){t.preventDefault();let s=this.all[this.at];s?.entry?this.pick(s.entry):this.
owner.first(this.input.value.trim(),this.all.find(i=>i.entry)?.entry)}}};var A=class{constructor(t){this.place=t,this.name="comparator.panes."+t,this.values={file:null,modes:{},pages:{},places:{},
zooms:{},asked:{},still:{},linked:!0,swapped:!1,side:"both",differences:!1,anyway:{}};try{Object.assign(this.values,JSON.
parse(sessionStorage.getItem(this.name)||"{}"))}catch{}this.pending=0}get(t){return this.values[t]}set(t,e){this.values[t]=
e,this.save()}put(t,e,s){this.values[t][e]=s,this.save()}save(){clearTimeout(this.pending),this.pending=setTimeout(()=>{
try{sessionStorage.setItem(this.name,JSON.stringify(this.values))}catch{}},150)}};var W=o=>[...o?.querySelectorAll("table.data thead th")||[]].slice(1);function ne(o){let t=o.cloneNode(!0);for(let e of t.
querySelectorAll("[data-skip]"))e.remove();return t.textContent}function $t(o,t,e){let[s,i]=t.split(",");if(!i)return"";
let n=W(o)[s-1],r=W(e),a=n?.dataset.name&&r.some(f=>f.dataset.name)?f=>f.dataset.name:ne,c=f=>f&&n&&a(f)===a(n),d=c(r[s-
1])?s-1:r.findIndex(c);return d<0?null:`${d+1},${i}`}var re=1e4,ot=class{frame=null;waiting=new Map;count=0;turn=Promise.resolve();draw(t){let e=this.turn.then(()=>this.one(
t));return this.turn=e.then(()=>{}),e}async one(t){this.count+=1;let e=this.count,s=this.frame||this.open(),i=await Promise.
race([Promise.resolve(s).then(()=>this.answer(e,()=>this.frame.contentWindow.postMessage({id:e,source:t},"*"))),new Promise(
n=>{setTimeout(n,re)})]);return i===void 0&&this.close(),i?`data:image/svg+xml;charset=utf-8,${encodeURIComponent(i)}`:null}answer(t,e){
return new Promise(s=>{this.waiting.set(t,s),e()})}open(){return this.frame=h("iframe",{attributes:{sandbox:"allow-scrip\
ts",referrerpolicy:"no-referrer","aria-hidden":"true",tabindex:"-1",title:"",style:"position: absolute; width: 1000px; h\
eight: 10px; left: -2000px; border: 0; visibility: hidden"}}),this.hears=({source:t,data:e})=>{if(t!==this.frame?.contentWindow||
!e?.comparatorDiagram)return;let{id:s,drawing:i}=e.comparatorDiagram;this.waiting.get(s)?.(i),this.waiting.delete(s)},window.
addEventListener("message",this.hears),this.answer(0,()=>{this.frame.src="/live/mermaid/",document.body.append(this.frame)})}close(){
window.removeEventListener("message",this.hears),this.frame?.remove(),this.frame=null,this.waiting.clear()}},ae=new ot;async function Lt(o){
for(let t of o.querySelectorAll("img[data-diagram]")){let e=t.getAttribute("data-diagram");t.removeAttribute("data-diagr\
am");let s=await ae.draw(e);s?t.setAttribute("src",s):t.replaceWith(Object.assign(o.createElement("p"),{textContent:"Thi\
s diagram cannot be drawn: see its source below.",className:"facts"}))}}var nt=new WeakMap;function y(o,t){for(let e=o.prototype;e;e=Object.getPrototypeOf(e)){let s=Object.getOwnPropertyDescriptor(
e,t);if(s)return s}return null}function U(o){return o?(nt.has(o)||nt.set(o,new Proxy({},{get(t,e){let s=y(HTMLDocument,e);
if(s)return s.get?s.get.call(o):typeof s.value=="function"?s.value.bind(o):s.value},set(t,e,s){return y(HTMLDocument,e)?.
set?.call(o,s),!0}})),nt.get(o)):null}var F=(o,t)=>Element.prototype.closest.call(o,t),C=o=>y(Node,"parentNode").get.call(
o),At=o=>y(Element,"tagName").get.call(o);function x(o){try{return y(Node,"nodeType").get.call(o)===1}catch{return!1}}var he=new Set(["STYLE","SCRIPT","TITLE","TEMPLATE"]);function Ct(o,t,e){let s=o.createTreeWalker(t,NodeFilter.SHOW_TEXT,
c=>{let d=C(c);return!x(d)||he.has(At(d).toUpperCase())||F(d,"[data-skip]")?NodeFilter.FILTER_REJECT:NodeFilter.FILTER_ACCEPT}),
i=[],n=[],r=[],l=[],a=0;for(let c=s.nextNode();c;c=s.nextNode()){let d=c.data;for(let f=0;f<d.length;f+=1){let p=d[f];e(
p)&&(i.push(p.toLowerCase().length===1?p.toLowerCase():p),n.push(c),r.push(f),l.push(a+f))}a+=d.length}return{text:i.join(
""),nodes:n,offsets:r,raw:l}}var rt=o=>!/\s/.test(o),Ot=o=>/[\p{L}\p{N}]/u.test(o);function Tt(o,t,e,s,{tags:i}){if(!t)return null;
let n=le(o,e);if(n)return[n];let r=/^\s*\[(?:page|cell) [^\]]*\]\s*$/gm,l=i?/<[^>]*>/g:/(?!)/g,a=ce(e.replace(r," ").replace(
l," "));for(let c of new Set([e,a])){let d=Mt(o,t,c,s);if(d)return[d]}return de(o,t,a,s)}function le(o,t){let[,e,s]=/^\s*([A-Z]{1,3}\d{1,7})\s*:\s*(=[^]*?)\s*$/.
exec(t)||[];if(!e)return null;for(let i of o.querySelectorAll(`[data-cell="${e}"]`)){if(i.textContent.replace(/\s/g,"")!==
s.replace(/\s/g,""))continue;let n=o.createRange();return n.selectNodeContents(i),n}return null}function ce(o){let t={amp:"\
&",lt:"<",gt:">",quot:'"',nbsp:" ",apos:"'"};return o.replace(/&(amp|lt|gt|quot|nbsp|apos|#\d{1,6});/g,(e,s)=>t[s]??String.
fromCodePoint(Math.min(Number(s.slice(1)),1114111)))}function de(o,t,e,s){let i=a=>Array.from(a).filter(Ot).length,n=e.split(
/\s{2,}|[\n|]/).filter(a=>i(a)>=3),r=n.reduce((a,c)=>a+i(c),0);if(n.length<2||r<.6*i(e))return null;let l=n.map(a=>Mt(o,
t,a,s));return l.every(Boolean)?l:null}function Mt(o,t,e,s){let i=[[rt,1],[Ot,6]];for(let[n,r]of i){let l=Array.from(e.toLowerCase()).
join("").split("").filter(n).join("");if(l.length<r)continue;let a=Ct(o,t,n),c=-1;for(let d=a.text.indexOf(l);d>=0&&((c<
0||s!=null&&Math.abs(a.raw[d]-s)<Math.abs(a.raw[c]-s))&&(c=d),s!=null);d=a.text.indexOf(l,d+1));if(c>=0){let d=c+l.length-
1,f=o.createRange();return f.setStart(a.nodes[c],a.offsets[c]),f.setEnd(a.nodes[d],a.offsets[d]+1),f}}return null}function Nt(o,t,e,s=5e3){
let i=Array.from(e.toLowerCase()).join("").split("").filter(rt).join("");if(!i)return[];let n=Ct(o,t,rt),r=[];for(let l=n.
text.indexOf(i);l>=0&&r.length<s;l=n.text.indexOf(i,l+i.length)){let a=l+i.length-1,c=o.createRange();c.setStart(n.nodes[l],
n.offsets[l]),c.setEnd(n.nodes[a],n.offsets[a]+1),r.push(c)}return r}var ue=`
::highlight(comparator-quote) { background-color: #ffd54a; color: #111; }
::highlight(comparator-search) { background-color: #b7e4c7; color: #111; }
::highlight(comparator-search-here) { background-color: #2f9e5f; color: #fff; }
`,fe=4e3,pe="input:not([type=checkbox]), textarea, select, [contenteditable]",_=class{constructor(t,e,{foreign:s=!1,css:i=""}={}){
this.view=t,this.tell=e,this.foreign=s,this.inner=U(t.document),this.hits=[],this.expected=null,this.selecting=0;let n=(r,l,a=!1)=>t.
addEventListener(r,l,{capture:!0,passive:a});n("scroll",r=>r.target===t.document&&this.scrolled(),!0),n("keydown",r=>this.
key(r)),n("click",r=>this.click(r)),n("auxclick",r=>this.click(r)),n("dragstart",r=>this.under(r,"a, area, img")&&r.preventDefault()),
n("selectionchange",()=>{clearTimeout(this.selecting),this.selecting=setTimeout(()=>this.tell({is:"picked",picked:this.picked()}),
200)}),s||n("submit",r=>r.preventDefault());try{let r=new t.CSSStyleSheet;r.replaceSync(ue+i),this.inner.adoptedStyleSheets=
[...this.inner.adoptedStyleSheets,r]}catch{}}get root(){return this.inner.body||this.inner.documentElement}get scroller(){
return this.inner.scrollingElement||this.inner.documentElement}under(t,e){for(let s of t.composedPath())if(x(s)&&Element.
prototype.matches.call(s,e))return s;return null}share(){let{scroller:t}=this,e=(s,i)=>i>0?s/i:0;return[e(t.scrollTop,t.
scrollHeight-t.clientHeight),e(t.scrollLeft,t.scrollWidth-t.clientWidth)]}scroll(t){let[e,s]=t,{scroller:i}=this,n=Math.
round(e*(i.scrollHeight-i.clientHeight)),r=Math.round(s*(i.scrollWidth-i.clientWidth));Math.abs(i.scrollTop-n)<1&&Math.abs(
i.scrollLeft-r)<1||(this.expected=[n,r],this.view.scrollTo({top:n,left:r,behavior:"instant"}))}scrolled(){let{expected:t,
scroller:e}=this;this.expected=null;let s=t&&Math.abs(e.scrollTop-t[0])<3&&Math.abs(e.scrollLeft-t[1])<3;this.tell({is:"\
scroll",share:this.share(),own:!!s})}key(t){if(t.isComposing||this.under(t,pe))return;let{key:e,code:s,location:i,ctrlKey:n,
shiftKey:r,altKey:l,metaKey:a,repeat:c}=t,d={key:e,code:s,location:i,ctrlKey:n,shiftKey:r,altKey:l,metaKey:a,repeat:c};this.
tell({is:"key",again:d})===!1&&t.preventDefault()}click(t){let e=this.under(t,"a, area");if(!e)return;let s=n=>Element.prototype.
getAttribute.call(e,n),i=(s("href")??s("xlink:href")??"").trim();if(this.foreign){if(i.startsWith("#")||/^javascript:/i.
test(i))return;t.preventDefault(),i&&this.tell({is:"link",address:i.slice(0,2e3)});return}if(t.preventDefault(),i.startsWith(
"#")&&t.type==="click"){let n=i.slice(1);try{n=decodeURIComponent(n)}catch{}let r=n?this.inner.getElementById(n):null,l=r?
r.getBoundingClientRect().top+this.scroller.scrollTop:0;(r||!n)&&(this.scroller.scrollTop=l-4)}else s("data-link")&&this.
tell({is:"link",address:s("data-link")})}picked(){let t=this.inner.getSelection?.();if(!t||t.isCollapsed||!t.rangeCount)
return null;let e=t.toString().trim().slice(0,fe);if(e.length<2)return null;let s=t.getRangeAt(0),{left:i,top:n,bottom:r}=s.
getBoundingClientRect();return{text:e,start:me(this.inner,this.root,s.startContainer,s.startOffset),box:{left:i,top:n,bottom:r}}}find(t){
return this.hits=Nt(this.inner,this.root,t),this.mark("comparator-search",this.hits),this.hits.length}hit(t){let e=this.
hits[t];this.mark("comparator-search-here",e?[e]:[]),e&&this.reveal([e])}quote(t,e){let s=Tt(this.inner,this.root,t,e,{tags:this.
foreign});return s?(this.mark("comparator-quote",s),this.reveal(s),!0):!1}mark(t,e){try{e.length?this.view.CSS.highlights.
set(t,new this.view.Highlight(...e)):this.view.CSS.highlights.delete(t)}catch{}}unmark(){this.hits=[];for(let t of["comp\
arator-search","comparator-search-here"])this.mark(t,[])}clear(){this.mark("comparator-quote",[])}reveal(t){for(let c of t)
for(let d=c.commonAncestorContainer;d;d=C(d))d.nodeName==="DETAILS"&&(d.open=!0);let[e]=t,s=C(e.startContainer),i=x(s)?s:
this.root,n=e.getBoundingClientRect().height?e.getBoundingClientRect():Element.prototype.getBoundingClientRect.call(i),r=n.
top-this.view.innerHeight*.3,l=n.left<0||n.right>this.view.innerWidth?n.left-60:0;this.view.scrollBy({top:r,left:l,behavior:"\
instant"});let a=F(i,".scroll");if(a){let c=a.getBoundingClientRect();(n.left<c.left||n.right>c.right)&&(a.scrollLeft+=n.
left-c.left-40)}}zoom(t){let e=this.share();this.root.style.zoom=t===1?"":String(t),this.scroll(e)}ping(){return!0}};function me(o,t,e,s){
if(y(Node,"nodeType").get.call(e)!==3)return null;let i=o.createTreeWalker(t,4),n=0;for(let r=i.nextNode();r;r=i.nextNode()){
if(r===e)return n+s;n+=r.data.length}return null}var ge="allow-same-origin",at=400,we=`
.layer ::highlight(comparator-search) { background-color: rgb(47 158 95 / .35); color: transparent; }
.layer ::highlight(comparator-search-here) { background-color: rgb(47 158 95 / .7); color: transparent; }
[data-zoomed] div.over { max-width: none; }
[data-zoomed] .sheet { width: calc(100% * var(--comparator-zoom, 1)); max-width: calc(900px * var(--comparator-zoom, 1))\
; }
`,be=(()=>{let o="The quick brown fox jumps over the lazy dog, and 1234567890 others rest in the shade of an old tree.",
e=document.createElement("canvas").getContext("2d");return e.font='100px Arial, "Liberation Sans", sans-serif',100*44.969/
e.measureText(o).width||1})(),k=class{constructor(t,e,s,i,n,r){this.file=t,this.mode=e,this.page=s,this.query=r.query?.()||
"",this.pages=1,this.prefix=n,this.owner=r,this.state="loading",this.row=r.row?.()||0,this.arrived=[],this.facts=null,this.
node=h("iframe",{attributes:{sandbox:ge,referrerpolicy:"no-referrer",title:i,"data-file":t.id,"data-mode":e,tabindex:"0"},
on:{load:()=>this.load()}})}enter(t){t.append(this.node),this.begin()}begin(){this.state="loading",this.node.src=this.address()}fail(t){
this.state=t,this.owner.failed(this),this.resolveAll()}remove(){this.node.remove()}get served(){return this.printed?`${this.
file.id}.pages`:this.file.id}get printed(){return this.file.pages&&(this.mode==="view"||this.mode.includes(".pages/"))}address(){
let t=new URLSearchParams({theme:this.owner.theme(),page:String(this.page),...Object.fromEntries(new URLSearchParams(this.
query))});return this.row&&t.set("row",String(this.row)),`${this.prefix}/${encodeURIComponent(this.served)}/${this.mode===
"content"?"view":this.mode}?${t}`}holds(t,e,s,i){return this.file.id===t.id&&this.file.pages===t.pages&&this.mode===e&&this.
page===s&&this.query===i&&this.state!=="failed"&&this.state!=="stalled"}get document(){try{return U(this.node.contentDocument)}catch{
return null}}load(){let t=this.document;if(this.facts=ye(t),!this.facts){this.fail("failed");return}this.page=this.facts.
page,this.pages=this.facts.pages,t.addEventListener("scroll",()=>this.near(),{passive:!0}),t.addEventListener("click",s=>this.
go(s),!0);let e=`${we}:root { --comparator-letters: ${be.toFixed(4)} }`;this.reader=new _(this.node.contentWindow,s=>this.
heard(s),{css:e}),this.arrive()}arrive(){this.state="ready",this.zoom=1,this.lit=null,this.paint(),this.near(),this.owner.
loaded(this),this.words=null,this.linger();for(let t of this.arrived.splice(0))t(this.ready())}async ask(t,...e){if(this.
state==="ready")return["find","hit","quote"].includes(t)&&this.whole(),this.reader[t](...e)}heard(t){if(t.is==="scroll")
this.scrolled(t);else if(t.is==="picked")this.owner.selected(this,t.picked);else if(t.is==="link")this.owner.tell(`Links\
 are disabled here: ${t.address}`);else if(t.is==="key")return this.type(t.again)}get front(){return this.node.classList.
contains("front")}came(){this.near(),this.linger()}linger(){setTimeout(()=>this.node.isConnected&&this.front&&this.ready(),
at)}stop(){this.resolveAll(),this.node.contentWindow?.stop()}whole(){for(let t of this.document.querySelectorAll("pre.te\
xt > .later"))t.classList.remove("later")}async later(){let t=this.document;if(this.whole(),Lt(t),!!t.querySelector("[da\
ta-words]"))try{let e=await fetch(`${this.prefix}/${encodeURIComponent(this.served)}/words?page=${this.page}`);if(!e.ok)
return;for(let[s,i]of await e.json()){let n=t.querySelector(`[data-words="${s}"]`);n&&(n.innerHTML=i,n.removeAttribute("\
data-words"))}this.lit=null,this.owner.worded(this)}catch{}}resolveAll(){for(let t of this.arrived.splice(0))t()}ready(){
return this.state==="ready"?(this.words||=this.later(),this.words):new Promise(t=>this.arrived.push(t))}paint(){this.facts&&
(this.document.documentElement.dataset.theme=this.owner.theme())}retry(){this.begin()}get share(){return this.reader?this.
reader.share():[0,0]}set share(t){this.reader&&(t[0]&&this.whole(),this.reader.scroll(t))}scrolled({own:t}){this.whole(),
t||this.owner.scrolled(this)}near(){let t=this.document;if(!t)return;let e=this.node.clientHeight+(this.front?1500:0);for(let s of t.
querySelectorAll("img[data-src]")){let i=s.getBoundingClientRect();if(i.top>e)break;i.bottom<-1500||(s.setAttribute("src",
s.getAttribute("data-src")),s.removeAttribute("data-src"))}}type(t){return window.dispatchEvent(new CustomEvent("compara\
tor:key",{detail:{fileId:this.file.id,key:t.key,code:t.code}})),document.body.dispatchEvent(new KeyboardEvent("keydown",
{...t,bubbles:!0,cancelable:!0,composed:!0}))}go(t){let e=t.composedPath().find(i=>x(i)&&i.matches("[data-go]"));if(!e||
!["view","content"].includes(this.mode))return;t.preventDefault(),t.stopImmediatePropagation();let s=e.closest("nav.shee\
ts")?e.textContent.trim():null;this.owner.went(this,e.getAttribute("data-go"),s,t.isTrusted)}reveal(t){let e=this.document;
this.whole();let{unit:s,first:i,last:n}=this.facts||{};if(!s||t<Number(i))return;if(s==="change"){this.change(t);return}
let l=e.querySelectorAll({line:"pre.lines > span",row:"table.data tbody tr",page:".sheet"}[s]||"pre.none")[Math.min(t,Number(
n))-Number(i)];l?e.scrollingElement.scrollTop+=l.getBoundingClientRect().top-60:this.share=[(t-Number(i))/Math.max(Number(
n)-Number(i),1),0]}change(t){let e=this.document;for(let r of e.querySelectorAll("[data-here]"))r.removeAttribute("data-\
here");let s=e.querySelector(`[data-change="${Number(t)}"]`);if(!s)return;s.setAttribute("data-here",""),e.scrollingElement.
scrollTop+=s.getBoundingClientRect().top-this.node.clientHeight*.3;let i=s.tagName==="I"&&s.nextElementSibling?.querySelector(
"del, ins"),n=(i||s).getBoundingClientRect();(n.left<0||i&&n.right>this.node.clientWidth)&&(e.scrollingElement.scrollLeft+=
n.left-this.node.clientWidth*.3)}sheet(t){[...this.document?.querySelectorAll("nav.sheets a")||[]].find(s=>s.textContent.
trim()===t)?.click()}};function ye(o){let{page:t,pages:e,unit:s,first:i,last:n,total:r}=o?.documentElement?.dataset||{};
return e?{page:Number(t),pages:Number(e),unit:s,first:Number(i),last:Number(n),total:r}:null}var It=new Set(["html","svg"]),Pt=/Chrom(e|ium)\//.test(navigator.userAgent),xe=1e3,ke=5,Rt={img:"picture",style:"style \
sheet","style-src-elem":"style sheet",font:"web font",script:"script",media:"audio or video",frame:"embedded page",connect:"\
data request",here:"file that is not in this output"},ht=()=>{let o=document.activeElement;for(;o?.shadowRoot?.activeElement;)
o=o.shadowRoot.activeElement;return o},K=class extends k{about=void 0;ahead=!1;answers=new Map;asked=0;at=[0,0];async begin(){
this.state="loading",clearInterval(this.beating);let t=this.ahead||this.owner.still();try{let e=await fetch(`${this.prefix}\
/${encodeURIComponent(this.file.id)}/page?scripts=${t?0:1}`);if(!e.ok)throw new Error(e.statusText);this.about=await e.json()}catch{
this.fail("failed");return}if(!this.about){super.begin();return}if(this.ahead&&this.about.can){this.node.dispatchEvent(new Event(
"load"));return}this.node.setAttribute("sandbox","allow-scripts allow-forms"),this.node.classList.add("page"),this.began=
!1,this.hears||(this.hears=e=>this.receive(e),this.blurs=()=>setTimeout(()=>this.refuseFocus()),this.focuses=e=>{this.before=
e.composedPath()[0]},window.addEventListener("message",this.hears),window.addEventListener("blur",this.blurs),window.addEventListener(
"focusin",this.focuses,!0),this.node.addEventListener("focus",()=>{this.entered=!0}),this.node.addEventListener("pointer\
enter",()=>{this.over=!0}),this.node.addEventListener("pointerleave",()=>this.left())),this.node.src=this.about.address}holds(t,e,s,i){
return(!this.about?.can||this.about.scripts!==this.owner.still())&&super.holds(t,e,s,i)}get doubted(){return!!this.about?.
scripts}get document(){return this.about?null:super.document}load(){this.about===null?super.load():this.node.getAttribute(
"src")&&!this.began&&setTimeout(()=>this.began||this.fail("failed"),1e3)}receive({source:t,data:e}){let s=this.node.contentWindow?.[0],
i=e?.comparator;!s||t!==s||!i||(i.is==="began"?(this.began=!0,this.answers.clear(),this.beat()):i.is==="loaded"?(this.facts=
{page:1,pages:1,notes:this.about.why?[this.about.why]:[],data:this.about.data},this.arrive()):i.is==="answer"?(this.answers.
get(i.id)?.(i.value),this.answers.delete(i.id)):i.is==="missing"?this.missing(i.missing):i.is==="scroll"?(this.at=i.share.
map(n=>Math.min(Math.max(Number(n)||0,0),1)),i.own||this.owner.scrolled(this)):i.is==="picked"?(!this.doubted||ht()===this.
node)&&this.owner.selected(this,i.picked):i.is==="link"?this.owner.tell(`Links are disabled here: ${String(i.address).slice(
0,300)}`):i.is==="key"&&(this.doubted?i.again?.key==="Escape"&&this.node.blur():this.type(i.again)))}beat(){clearInterval(
this.beating);let t=0;this.beating=setInterval(()=>{if(this.node.isConnected||clearInterval(this.beating),!document.hidden){
if(t>=ke){this.close(),this.fail("stalled");return}t+=1,this.say("ping").then(()=>{t=0})}},xe)}say(t,...e){this.asked+=1;
let s=this.asked;return new Promise(i=>{this.answers.set(s,i),this.node.contentWindow?.[0]?.postMessage({id:s,act:t,args:e},
"*")})}async ask(t,...e){return this.about?this.state==="ready"?this.say(t,...e):void 0:super.ask(t,...e)}missing({kinds:t,
hosts:e}){let s=Object.entries(t).filter(([n,r])=>Rt[n]&&(n!=="script"||this.doubted)&&Number.isInteger(r)&&r>0).map(([n,
r])=>`${r} ${Rt[n]}${r>1&&n!=="here"?"s":""}`);if(!s.length||!this.facts)return;let i=e.filter(n=>/^[a-z0-9.-]{1,80}$/.test(
n)).slice(0,5);this.facts.notes=[...this.about.why?[this.about.why]:[],`Not loaded: ${s.join(", ")}${i.length?` (${i.join(
", ")})`:""}.`],this.owner.noted(this)}left(){this.over=!1,this.doubted&&ht()===this.node&&this.node.blur()}refuseFocus(){
if(!this.doubted||ht()!==this.node){this.entered=!1;return}this.over||this.entered?this.owner.tell("Keys go to this page\
 until you press Esc or move the pointer out of it."):(this.node.blur(),this.before?.focus?.({preventScroll:!0}))}get share(){
return this.about?this.at:super.share}set share(t){this.about?(this.at=t,this.ask("scroll",t)):super.share=t}scrolled(t){
this.about||super.scrolled(t)}whole(){this.about||super.whole()}async later(){this.about||await super.later()}paint(){this.
about||super.paint()}reveal(t){this.about||super.reveal(t)}stop(){this.about?this.resolveAll():super.stop()}close(){clearInterval(
this.beating),this.node.removeAttribute("src"),this.began=!0}remove(){clearInterval(this.beating),window.removeEventListener(
"message",this.hears),window.removeEventListener("blur",this.blurs),window.removeEventListener("focusin",this.focuses,!0),
super.remove()}};var qt=1500;function Bt(o,t){let e=t?.data||[],s=[...o?.notes||[],...t?.notes||[]].join(" ");return[...s?[h("span",{text:s})]:
[],...e.length?[ve(e)]:[]]}function ve(o){let t=o.flatMap(([e,s,i])=>[h("dt",{text:s?`${e}: ${s}`:e}),h("dd",{text:i.length>
qt?`${i.slice(0,qt)}…`:i})]);return h("details",{attributes:{class:"pagedata"},children:[h("summary",{text:`Page data \
(${o.length})`}),h("dl",{children:t})]})}var J=class{constructor(t,e){this.pane=t,this.owner=e,this.picked=null,this.menu=h("div",{attributes:{class:"passage",role:"\
menu","aria-label":"Selected words",hidden:!0}}),this.menu.addEventListener("keydown",s=>this.key(s)),this.menu.addEventListener(
"mousedown",s=>s.preventDefault()),t.stage.append(this.menu)}selected(t,e){if(!this.menu.contains(this.menu.getRootNode().
activeElement)){if(this.picked=null,t===this.pane.current&&typeof e?.text=="string"){let s=m(t.mode)?null:e.start;this.picked=
{...e,fileId:t.file.id,start:s,end:s===null?null:s+e.text.length}}this.picked?this.offer():this.hide()}}hide(){this.menu.
hidden=!0,this.menu.replaceChildren()}offer(){let t=[];!this.owner.closed()&&this.owner.targets().length&&this.pane.side&&
this.pane.label()&&t.push(u("Attach as evidence to… (v)",{text:"Attach as evidence to…",press:()=>this.choices()})),
t.push(u("Comment on this (m)",{text:"Comment",press:()=>this.comment()}));for(let e of t)e.setAttribute("role","menuite\
m");this.menu.classList.remove("long"),this.menu.replaceChildren(...t),this.place()}choices(){if(!this.picked)return;let t="",
e=[];for(let s of this.owner.targets()){s.part!==t&&(t=s.part,e.push(h("p",{attributes:{role:"presentation"},text:t==="s\
core"?"Criterion":"Expectation"})));let i=u(s.name,{text:g(s.name,60),press:()=>this.attach(s)});i.setAttribute("role","\
menuitem"),e.push(i)}this.menu.classList.add("long"),this.menu.replaceChildren(...e),this.place(),this.menu.querySelector(
"button")?.focus({preventScroll:!0})}attach(t){let{part:e,key:s}=t;this.owner.attach(`${e}:${this.pane.label()}:${s}`,this.
taken()),this.pane.tell(`Attached to ${t.name}.`)}comment(){this.owner.comment(this.taken())}taken(){let{fileId:t,text:e,
start:s,end:i}=this.picked;return this.hide(),this.pane.current?.node.focus({preventScroll:!0}),{fileId:t,text:e,start:s,
end:i,file:this.pane.file.name,label:this.pane.label()}}place(){this.menu.hidden=!1;let{box:t}=this.picked,e=this.pane.stage.
getBoundingClientRect(),s=this.menu.getBoundingClientRect(),i=Math.min(Math.max(4,t.left),Math.max(4,e.width-s.width-12)),
n=t.bottom+6,r=n+s.height<e.height?n:Math.max(4,Math.min(t.top-s.height-6,e.height-s.height-4));this.menu.style.left=`${i}\
px`,this.menu.style.top=`${r}px`}key(t){let e=[...this.menu.querySelectorAll("button")],s=e.indexOf(this.menu.getRootNode().
activeElement),i={ArrowDown:1,ArrowUp:-1,ArrowRight:1,ArrowLeft:-1}[t.key];t.stopPropagation(),i?(t.preventDefault(),e[(s+
i+e.length)%e.length]?.focus()):t.key==="Escape"&&(this.hide(),this.pane.current?.node.focus({preventScroll:!0}))}};async function zt(o,t){let{file:e}=o,s=()=>o.file!==e||o.wanted!==t;o.wanted=t;let i=o.current;if(await i.ready(),s())return!1;
let n=await i.ask("quote",t.text,t.start);if(s())return!1;if(!n){let r=e.pages?await o.whereabouts(t.text,`${e.id}.pages`):
null,l=await o.whereabouts(t.text,e.id);if(s())return!1;let a=i.mode==="view"?[{mode:"source",page:1}]:[{mode:"view",page:1}],
c=e.pages?[{page:1,...l,mode:"content"}]:l?[l]:a,d=r?[r,...c]:c,f=o.owner.memory.get("asked")[o.file.id]||"";for(let{mode:p,
page:v,sheet:S}of d){S&&o.owner.memory.put("asked",o.file.id,`sheet=${S}`);let $=o.open(p,v);if(await $.ready(),s()||(n=
await $.ask("quote",t.text,t.start),s()))return!1;if(n){o.owner.memory.put("modes",o.file.id,p),o.owner.memory.put("page\
s",o.file.id,v);break}else o.owner.memory.put("asked",o.file.id,f),o.place(i)}}return o.tell(n?"":"This quote was not fo\
und in the output."),!!n}var Se=new Set(["html","code","text","xml","binary"]),G=new Map,lt=class extends k{memory=null;load(){super.load();let t=this.
document?.getElementById("phone");t&&(t.checked=this.memory.get("phone")===!0,t.addEventListener("change",()=>{this.memory.
set("phone",t.checked),this.memory.get("linked")&&window.dispatchEvent(new CustomEvent("comparator:page-width",{detail:t.
checked}))}),!this.listens&&(this.listens=!0,window.addEventListener("comparator:page-width",e=>{let s=this.document?.getElementById(
"phone");s&&(s.checked=e.detail)})))}},Q=class{constructor(t){this.pane=t,this.picture=u("Show pictures of the page in a\
 browser",{text:"Picture",press:()=>t.turn("picture")}),this.scripts=u("Run this page's scripts, cut off from the networ\
k",{text:"Scripts",pressed:!0,press:()=>this.toggle()}),this.picture.hidden=this.scripts.hidden=!0,t.switch.append(this.
picture),t.switch.before(this.scripts)}async offer(t){if(this.picture.hidden=!0,!t||!Se.has(t.family))return;if(!G.has(t.
id)){let s=`${this.pane.owner.prefix}/${encodeURIComponent(t.id)}/modes`;G.set(t.id,fetch(s).then(i=>i.ok?i.json():{}).catch(
()=>(G.delete(t.id),{})))}let e=await G.get(t.id);this.pane.file?.id===t.id&&(this.picture.hidden=!e.picture)}describe(t){
this.picture.setAttribute("aria-pressed",String(t?.mode==="picture")),this.scripts.hidden=!t?.about?.can,this.scripts.setAttribute(
"aria-pressed",String(!!t?.about?.scripts))}toggle(){let{file:t,owner:e}=this.pane;e.memory.put("still",t.id,!e.memory.get(
"still")[t.id]),this.pane.open("view",1)}frame(t,e,...s){if(t==="view"&&It.has(e.family))return new K(e,...s);if(t!=="pi\
cture")return new k(e,...s);let i=new lt(e,...s);return i.memory=this.pane.owner.memory,i}};var Ee=new Set(["pdf","image","docx","pptx"]),$e={pdf:".sheet",image:".picture"},ct=[.5,.67,.8,1,1.25,1.5,2,3,4];function jt(o,t){
let e=ct.findIndex(s=>s>=o-.001);return ct[Math.min(ct.length-1,Math.max(0,e+t))]}var dt=o=>o.printed?"pdf":o.file.family;
function ut(o){let{document:t,mode:e,state:s}=o;return o.about?!0:m(e)?!!t?.querySelector(".sheet, div.over"):!["view","\
content"].includes(e)||!Ee.has(dt(o))?!1:s!=="ready"||!!t.querySelector($e[dt(o)]||"body > :not(.message, .mono)")}function ft(o,t){
if(o.about){(o.zoom||1)!==t&&o.ask("zoom",t),o.zoom=t;return}let e=o.document;if(!e?.body||o.state!=="ready"||!ut(o)||(o.
zoom||1)===t)return;let s=o.share;o.zoom=t;let i=e.documentElement;i.style.setProperty("--comparator-zoom",String(t)),i.
toggleAttribute("data-zoomed",t!==1),o.file.family==="image"?Le(e,t):dt(o)!=="pdf"&&(e.body.style.zoom=t===1?"":String(t)),
o.share=s,o.near()}function Le(o,t){let e=o.body.clientWidth-40;for(let s of o.querySelectorAll(".picture img, div.over \
> img:first-child")){let i=Number(s.getAttribute("width"))||s.naturalWidth||e,n=Math.min(i,e)*t;s.style.width=t===1?"":`${n}\
px`,s.style.maxWidth=s.style.maxHeight=t===1?"":"none",s.style.height=t===1?"":"auto"}}var Ae=5;function pt({node:o}){o.classList.remove("front"),o.setAttribute("aria-hidden","true"),o.tabIndex=-1}var O=class{constructor(t,e){
this.side=t,this.owner=e,this.frames=[],this.prepared=null,this.current=null,this.file=null,this.title=h("span",{attributes:{
class:"name"}}),this.badge=h("span",{attributes:{class:"badge"}}),this.view=u("Show as rendered",{text:"Rendered",press:()=>this.
turn("view")}),this.source=u("Show the source",{text:"Source",press:()=>this.turn("source")}),this.content=u("Show the t\
ext, tables and notes without the layout",{text:"Content",press:()=>this.turn("content")}),this.back=u("Previous part",{
symbol:"left",press:()=>this.step(-1)}),this.forth=u("Next part",{symbol:"right",press:()=>this.step(1)}),this.count=h("\
span",{attributes:{class:"count"}}),this.goal=h("input",{attributes:{type:"text",inputmode:"numeric",class:"goal",size:"\
7"},on:{keydown:s=>this.seek(s)}}),this.pager=h("span",{attributes:{class:"pager"},children:[this.goal,this.back,this.count,
this.forth]}),this.less=u("Smaller",{text:"−",press:()=>e.zoomed(this,-1)}),this.fit=u("Fit to the width",{text:"100%",
kind:"fit",press:()=>e.zoomed(this,0)}),this.larger=u("Larger",{text:"+",press:()=>e.zoomed(this,1)}),this.zoom=h("span",
{attributes:{class:"zoom",role:"group","aria-label":"Zoom"},children:[this.less,this.fit,this.larger]}),this.save=h("a",
{attributes:{class:"save",title:"Download this file","aria-label":"Download this file",download:""},children:[st("downlo\
ad")]}),this.switch=h("span",{attributes:{class:"switch",role:"group","aria-label":"View"},children:[this.view,this.content,
this.source]}),this.header=h("header",{children:[this.badge,this.title,this.pager,this.zoom,this.switch,this.save]}),this.
notes=h("div",{attributes:{class:"filenotes",hidden:!0}}),this.status=h("div",{attributes:{class:"status",role:"status"}}),
this.veil=h("div",{attributes:{class:"veil"}}),this.stage=h("div",{attributes:{class:"stage"},children:[this.veil]}),this.
node=h("section",{attributes:{class:"pane","data-side":t},children:[this.header,this.notes,this.stage,this.status]}),this.
telling=0,this.passage=new J(this,e.notes),this.web=new Q(this)}label(){return this.node.classList.contains("task")?null:
this.side.toUpperCase()}show(t,e,s){if(this.file=t,this.heading=e,this.badge.textContent=e,this.node.setAttribute("aria-\
label",e),this.node.classList.toggle("empty",!t),this.title.textContent=t?g(t.name,44):"",this.title.title=t?`${t.name} \
(${t.size})`:"",this.note(),this.tell(""),this.web.offer(t),!t)return this.place(null),this.cover("note",s),null;this.content.
hidden=!t.pages,this.save.href=`${this.owner.prefix}/${encodeURIComponent(t.pages?`${t.id}.pages`:t.id)}/download`;let i=t.
family==="html"&&!Pt?"picture":"view";return this.open(this.owner.memory.get("modes")[t.id]||i,this.owner.memory.get("pa\
ges")[t.id]||1)}open(t,e){let s=(t==="view"||t==="content")&&this.owner.memory.get("asked")[this.file.id]||"",i=this.frames.
find(l=>l.holds(this.file,t,e,s));if(i)return this.frames.splice(this.frames.indexOf(i),1),this.frames.push(i),this.place(
i),i;let n=this.prepared?.holds(this.file,t,e,s)&&!this.row?this.prepared:null,r=n||this.frame(this.heading,this.file,t,
e,s);for(this.frames.push(r),n?(this.prepared=null,n.paint(),n.state==="ready"&&this.loaded(n)):r.enter(this.stage),this.
place(r);this.frames.length>Ae;){let l=this.frames.shift();l.stop(),l.remove()}return r}frame(t,e,s,i,n){return this.web.
frame(s,e,s,i,`${t}: ${e.name}`,this.owner.prefix,{theme:()=>this.owner.theme(),scrolled:r=>this.scrolled(r),loaded:r=>this.
loaded(r),worded:r=>this.owner.loaded(r),failed:r=>this.failed(r),tell:r=>this.tell(r),selected:(r,l)=>this.passage.selected(
r,l),noted:r=>r===this.current&&this.note(),still:()=>!!this.owner.memory.get("still")[e.id],row:()=>this.row,query:()=>n,
went:(r,l,a,c)=>this.go(r,l,a,c)})}prepare(t,e){if(this.forget(),!t)return e();this.prepared=this.frame(`Output ${this.side.
toUpperCase()}`,t,"view",1,""),pt(this.prepared),this.prepared.ahead=!0,this.prepared.node.addEventListener("load",e,{once:!0}),
this.prepared.enter(this.stage)}forget(){this.prepared?.remove(),this.prepared=null}leave(){let t=this.frames.splice(0);
this.current=null;for(let e of t)pt(e),e.stop();setTimeout(()=>t.forEach(e=>e.remove()),at)}place(t){this.current=t,this.
passage.hide();for(let e of this.frames)e!==t&&pt(e);t&&(t.node.classList.add("front"),t.node.setAttribute("aria-hidden",
"false"),t.node.tabIndex=0),t?.state==="loading"&&this.cover("loading",""),t?.state==="ready"&&(this.uncover(),t.came(),
this.owner.seen()),(t?.state==="failed"||t?.state==="stalled")&&this.failed(t),this.describe()}describe(){let t=this.current,
e=t?.mode||"view";this.view.setAttribute("aria-pressed",String(e==="view")),this.content.setAttribute("aria-pressed",String(
e==="content")),this.source.setAttribute("aria-pressed",String(e==="source")),this.web.describe(t);let s=t?t.pages:1;this.
node.classList.toggle("bare",s===0&&t?.state==="ready"),this.pager.hidden=s<2;let{unit:i,first:n,last:r,total:l}=t?.facts||
{};this.note(),this.goal.hidden=!i||i==="byte",this.goal.placeholder=`${i||"line"}…`,this.goal.setAttribute("aria-labe\
l",`Go to ${i||"line"}`),this.count.textContent=`${t?.page||1} / ${s}`;let a=i?`: ${i}s ${Number(n).toLocaleString("en")}\
 to ${Number(r).toLocaleString("en")}`:"",c=i&&l?` of ${Number(l).toLocaleString("en")}`:"";this.count.title=`Part ${t?.
page||1} of ${s}${a}${c}`,this.switch.hidden=this.save.hidden=!!t?.document?.querySelector("body > [data-nothing]"),this.
zoom.hidden=!t||!ut(t),this.fit.lastChild.textContent=`${Math.round(100*(this.owner.memory.get("zooms")[t?.file.id]||1))}\
%`,this.back.disabled=!t||t.page<=1,this.forth.disabled=!t||t.page>=s}note(){let t=this.current?.file===this.file?this.current?.
facts:null,e=JSON.stringify([this.file?.notes,t?.notes,t?.data]);if(e===this.noted)return;this.noted=e;let s=Bt(this.file,
t);this.notes.replaceChildren(...s),this.notes.hidden=!s.length}seek(t){t.stopPropagation();let e=Number(this.goal.value.
replace(/\D/g,""));t.key!=="Enter"||!e||!this.current||(m(this.current.mode)?this.owner.changed(e):(this.to(e),this.owner.
sought(this,e)),this.goal.value="")}to(t){this.current?.state!=="ready"||this.current.pages<2||(this.row=t,this.open(this.
current.mode,0),this.row=0)}turn(t){!this.file||this.current?.mode===t||(this.owner.turned(),this.owner.memory.put("mode\
s",this.file.id,t),this.owner.memory.put("pages",this.file.id,1),this.open(t,1))}step(t){let e=this.current;if(!e)return;
let s=Math.min(Math.max(e.page+t,1),e.pages);s!==e.page&&(m(e.mode)||this.owner.memory.put("pages",this.file.id,s),this.
open(e.mode,s),this.owner.paged(this,t))}enlarge(t){this.file&&(this.owner.memory.put("zooms",this.file.id,t),this.current&&
ft(this.current,t),this.describe())}go(t,e,s,i){if(t!==this.current)return;let n=t.document,r=new URLSearchParams(s===null?
t.query:"");for(let[l,a]of new URLSearchParams(e))["sheet","sort"].includes(l)&&(a?r.set(l,a):r.delete(l));this.owner.memory.
put("asked",this.file.id,String(r)),this.owner.memory.put("pages",this.file.id,1),this.open(t.mode,1),i&&(s!==null?this.
owner.sheeted(this,s):this.owner.sorted(this,n,r.get("sort")||""))}sortAs(t,e){let s=this.current;if(s?.state!=="ready"||
s.mode==="source"||!W(s.document).length)return;let i=$t(t,e,s.document);i===null?this.tell("This table has no such colu\
mn, so its order did not change."):this.go(s,`sort=${i}`,null,!1)}loaded(t){if(t===this.prepared)return;ft(t,this.owner.
memory.get("zooms")[t.file.id]||1);let e=this.owner.memory.get("places")[this.spot(t)];Array.isArray(e)&&(t.share=e),t.row&&
(m(t.mode)||this.owner.memory.put("pages",this.file.id,t.page),t.reveal(t.row)),t===this.current&&(this.uncover(),this.describe(),
this.owner.seen()),this.owner.loaded(t)}failed(t){if(t!==this.current)return;let e=u("Load again",{text:"Load again",press:()=>{
this.cover("loading",""),t.retry()}}),s=t.state==="stalled"?"This page did not respond within 5 seconds, so it was close\
d. You can still read its source.":"This file could not be loaded: the server did not answer.";this.cover("note",s,e)}scrolled(t){
this.owner.memory.put("places",this.spot(t),t.share),t===this.current&&this.owner.scrolled(this)}spot(t){return`${t.file.
id}/${t.mode}/${t.page}${t.query&&`/${t.query}`}`}cover(t,e,s=null){this.veil.className="veil "+t,this.veil.replaceChildren(
...e?[h("p",{text:e})]:[],...s?[s]:[]),t==="loading"?(this.veil.setAttribute("aria-busy","true"),this.veil.replaceChildren(
...[70,92,84,40,88,61].map(i=>h("i",{attributes:{style:`width:${i}%`}})))):this.veil.removeAttribute("aria-busy"),this.veil.
hidden=!1}uncover(){this.veil.hidden=!0,this.veil.removeAttribute("aria-busy")}tell(t){clearTimeout(this.telling),this.status.
textContent=t,t&&(this.telling=setTimeout(()=>{this.status.textContent=""},8e3))}quote(t){return zt(this,t)}async whereabouts(t,e){
try{let s=new URLSearchParams({text:t}),i=await fetch(`${this.owner.prefix}/${encodeURIComponent(e)}/locate?${s}`);return i.
ok?await i.json():null}catch{return null}}clear(){for(let t of this.frames)t.ask("clear")}};var Dt="(max-width: 1099px)";var Z=class{constructor(t){this.grid=t,this.onResize=()=>this.measure(),this.observer=new ResizeObserver(this.onResize),
window.addEventListener("resize",this.onResize);for(let e=t.getRootNode().host??t;e&&e!==document.body;e=e.parentElement)
this.observer.observe(e)}close(){this.observer.disconnect(),window.removeEventListener("resize",this.onResize)}measure(){
let t=0;for(let s=this.grid.getRootNode().host??this.grid;s;s=s.parentElement)t+=s.scrollTop;let e=Math.min(this.grid.getBoundingClientRect().
top+t,window.innerHeight*.3);Math.abs(e-this.above)<1||(this.above=e,this.grid.style.setProperty("--above",`${Math.ceil(
e)}px`))}};var Ce=14,V=class{constructor(t){this.owner=t,this.entries=[],this.unfolded=!1,this.current=null,this.files=u("All files\
: search, kinds, pairs (f)",{symbol:"list",text:"Files",kind:"all",press:()=>t.list()}),this.files.setAttribute("aria-ha\
spopup","dialog"),this.back=u("Previous file ([)",{symbol:"left",kind:"step",press:()=>t.step(-1)}),this.forth=u("Next f\
ile (])",{symbol:"right",kind:"step",press:()=>t.step(1)}),this.back.setAttribute("aria-label","Previous file"),this.forth.
setAttribute("aria-label","Next file"),this.at=h("span",{attributes:{class:"at"}}),this.list=h("div",{attributes:{class:"\
files",role:"tablist","aria-label":"Files"}}),this.tick=u("Looked at (x)",{symbol:"tick",kind:"tick",pressed:!1,press:()=>this.
current&&t.tick(this.current)}),this.node=h("nav",{attributes:{class:"strip","aria-label":"Files"},children:[this.files,
this.back,this.at,this.forth,this.tick]}),this.list.addEventListener("keydown",e=>this.key(e))}update(t){this.entries=t;
let e=t.filter(s=>s.identical).length;this.few=t.length-e<=Ce,this.draw()}select(t){this.current=t,this.draw()}shown(){return this.
entries.filter(t=>!t.identical||this.unfolded||t===this.current)}draw(){let t=this.shown(),e=this.entries.length;this.files.
lastChild.textContent=`${e.toLocaleString("en")} file${e===1?"":"s"}`,this.at.textContent=`${t.indexOf(this.current)+1} \
/ ${t.length.toLocaleString("en")}`,this.tick.hidden=!this.current,this.current&&this.tick.setAttribute("aria-pressed",String(
w(this.current,this.owner.looked)));let s=this.list.getRootNode().activeElement?.dataset?.entry,i=[],n=!1;for(let a of this.
few?t:t.filter(c=>c===this.current))a.role&&!n&&this.few&&(n=!0,i.push(h("span",{attributes:{class:"divider",role:"prese\
ntation"},text:"Task"}))),i.push(this.tab(a));let r=this.entries.filter(a=>a.identical).length;if(r&&this.few){let a=this.
unfolded?`Hide ${r} identical`:`${r} identical hidden`;i.push(u(a,{text:a,kind:"fold",pressed:this.unfolded,press:()=>{this.
unfolded=!this.unfolded,this.draw()}}))}e||i.push(h("span",{attributes:{class:"divider"},text:"No files"})),this.list.replaceChildren(
...i);let l=this.list.querySelector("[aria-selected=true]");if(l){let a=l.offsetLeft-this.list.offsetLeft;(a<this.list.scrollLeft||
a+l.offsetWidth>this.list.scrollLeft+this.list.clientWidth)&&(this.list.scrollLeft=a-2)}s&&this.list.querySelector(`[dat\
a-entry="${CSS.escape(s)}"]`)?.focus()}tab(t){let e=t===this.current,s=w(t,this.owner.looked),i=b[t.kind].tag;return h("\
button",{attributes:{type:"button",role:"tab","data-entry":t.id,"aria-selected":String(e),tabindex:e?"0":"-1",class:s?"s\
een":null,title:`${t.names.join(" and ")}: ${M(t)}${s?", looked at":""}`},children:[h("i",{attributes:{class:"dot","aria\
-hidden":"true"}}),t.role?h("small",{text:t.role}):null,h("span",{attributes:{class:"name"},text:T(t,this.few?40:64)}),...N(
t),i?h("small",{text:i}):null],on:{click:()=>this.owner.choose(t)}})}key(t){let e={ArrowRight:1,ArrowLeft:-1}[t.key];e&&
(t.preventDefault(),t.stopPropagation(),this.owner.step(e),this.list.querySelector("[aria-selected=true]")?.focus())}};var Y=class{constructor(t){this.panes=t,this.link=u("Scroll, page and zoom both outputs together (l)",{symbol:"link",text:"\
Linked",pressed:!0,press:()=>this.toggle("linked")}),this.link.setAttribute("aria-label","Scroll both outputs together"),
this.exchange=u("Swap sides",{symbol:"swap",text:"Swap",pressed:!1,press:()=>this.toggle("swapped")}),this.sides=h("span",
{attributes:{class:"switch",role:"group","aria-label":"Outputs shown"},children:[u("Both outputs side by side",{text:"A \
| B",kind:"both",press:()=>this.show("both")}),u("Output A in full width",{text:"A",kind:"only-a",press:()=>this.show("a")}),
u("Output B in full width",{text:"B",kind:"only-b",press:()=>this.show("b")})]}),this.node=h("div",{attributes:{class:"t\
ools"},children:[t.differences.node,this.link,this.exchange,this.sides]}),this.media=window.matchMedia(Dt),this.onMedia=
()=>this.arrange(),this.media.addEventListener("change",this.onMedia)}close(){this.media.removeEventListener("change",this.
onMedia)}get memory(){return this.panes.memory}get narrow(){return this.media.matches}get linked(){return this.memory.get(
"linked")&&!this.panes.entry?.role}get side(){let t=this.memory.get("side");return this.narrow&&t==="both"&&(t=this.memory.
get("swapped")?"b":"a"),this.panes.entry?.role?"a":t}other(t){return t===this.panes.a?this.panes.b:this.panes.a}toggle(t){
this.memory.set(t,!this.memory.get(t)),this.arrange(),t==="linked"&&this.memory.get("linked")&&this.panes.a.current&&this.
scrolled(this.panes.a)}show(t){this.memory.set("side",t),this.arrange()}next(){let t=this.narrow?["a","b"]:["both","a","\
b"];this.show(t[(t.indexOf(this.side)+1)%t.length])}arrange(){let{node:t}=this.panes,{narrow:e,side:s}=this;t.dataset.side=
s,t.classList.toggle("narrow",e),t.classList.toggle("swapped",this.memory.get("swapped")),this.link.setAttribute("aria-p\
ressed",String(this.memory.get("linked"))),this.exchange.setAttribute("aria-pressed",String(this.memory.get("swapped")));
for(let i of this.sides.children){let n=i.classList.contains("both")?"both":i.classList.contains("only-a")?"a":"b";i.setAttribute(
"aria-pressed",String(n===s)),i.hidden=e&&n==="both",n!=="both"&&(i.lastChild.textContent=(e?"Output ":"")+n.toUpperCase())}}scrolled(t){
if(!this.linked)return;let e=this.other(t).current;e?.state==="ready"&&t.current&&(e.share=t.current.share)}paged(t,e){!this.
linked||this.paging||(this.paging=!0,this.other(t).step(e),this.paging=!1)}sought(t,e){this.linked&&this.other(t).to(e)}sheeted(t,e){
this.linked&&this.other(t).current?.sheet(e)}sorted(t,e,s){this.linked&&this.other(t).sortAs(e,s)}zoomed(t,e){let s=this.
memory.get("zooms")[t.file?.id]||1,i=e?jt(s,e):1;t.enlarge(i),this.linked&&this.other(t).enlarge(i)}};var Ht="comparator:notes",Oe="comparator:note",Te="comparator:notes-wanted",X=class{constructor(t){this.place=null,this.
onNotes=e=>{e.detail?.place===this.place&&t(e.detail)},window.addEventListener(Ht,this.onNotes)}open(t){this.place=t,window.
dispatchEvent(new CustomEvent(Te,{detail:{place:t}}))}tell(t){window.dispatchEvent(new CustomEvent(Oe,{detail:{place:this.
place,...t}}))}close(){window.removeEventListener(Ht,this.onNotes)}};var mt=new WeakMap,gt=class{constructor(t){this.root=t,this.memory=new A(""),this.entries=[],this.entry=null,this.signature=
null,this.generation=0,this.looked=new Set,this.targets=[],this.closed=!1,this.wire=new X(e=>this.receive(e)),this.find=
new B(this.finder()),this.list=new H(this.lister()),this.strip=new V(this.lister()),this.attention=new I(this.lister()),
this.a=new O("a",this.owner()),this.b=new O("b",this.owner()),this.findings=new z,this.differences=new q(this),this.together=
new Y(this),this.ahead=new R(this),this.coming=new j(()=>[this.a,this.b].some(({current:e})=>e?.state==="loading"&&!e.about)),
this.bar=h("div",{attributes:{class:"bar"},children:[this.strip.node,this.strip.list,this.find.node,this.together.node]}),
this.grid=h("div",{attributes:{class:"grid"},children:[this.a.node,this.b.node,this.list.node]}),this.node=h("div",{attributes:{
class:"panes"},children:[this.findings.node,this.bar,this.grid]}),bt(),t.append(this.node),this.height=new Z(this.grid),
this.keys=new D(e=>this.act(e)),this.onQuote=e=>this.quote(e.detail||{}),window.addEventListener("comparator:show-quote",
this.onQuote)}proxy(){return{get:t=>this.memory.get(t),set:(t,e)=>this.memory.set(t,e),put:(t,e,s)=>this.memory.put(t,e,
s)}}owner(){let t=this;return{memory:this.proxy(),get prefix(){return t.prefix},theme:()=>this.theme,scrolled:e=>{this.attention.
scrolled(),this.together.scrolled(e)},paged:(e,s)=>this.together.paged(e,s),sought:(e,s)=>this.together.sought(e,s),zoomed:(e,s)=>this.
together.zoomed(e,s),sheeted:(e,s)=>this.together.sheeted(e,s),sorted:(e,s,i)=>this.together.sorted(e,s,i),loaded:e=>this.
find.loaded(e),seen:()=>{this.ahead.seen(),this.coming.there()},turned:()=>this.differences.turned(),changed:e=>this.differences.
to(e),notes:{targets:()=>this.targets,closed:()=>this.closed,attach:(e,s)=>this.wire.tell({do:"attach",target:e,passage:s}),
comment:e=>this.wire.tell({do:"write-comment",passage:e})}}}lister(){let t=this;return{get looked(){return t.looked},get found(){
return t.find.counts},about:()=>this.find.about(),choose:e=>this.pick(e),step:e=>this.step(e),list:()=>this.list.toggle(),
closed:()=>this.strip.files.focus({preventScroll:!0}),search:e=>this.find.ask(e),warm:()=>this.find.text||this.wire.tell(
{do:"search",text:""}),first:(e,s)=>this.first(e,s),tick:e=>this.tick(e),mark:e=>this.mark(e,!0),pair:(e,s)=>this.wire.tell(
{do:"pair",files:[e.id,s.id]}),apart:e=>this.wire.tell({do:"apart",files:[e.a.id,e.b.id]}),takeBack:e=>this.wire.tell({do:"\
take_back",text:e}),unpair:e=>this.wire.tell({do:"unpair",files:e.files.map(s=>s.id)})}}finder(){return{entries:()=>this.
entries,current:()=>this.entry,choose:t=>this.choose(t),pane:t=>this[t],frames:()=>[...this.a.frames,...this.b.frames],ask:t=>this.
wire.tell({do:"search",text:t}),changed:()=>this.list.refresh(),ended:()=>{this.list.input.value="",this.list.refresh()}}}destroy(){
this.keys.close(),this.wire.close(),this.attention.stop(),this.ahead.stop(),this.together.close(),this.differences.close(),
this.findings.close(),this.coming.close(),this.height.close(),window.removeEventListener("comparator:show-quote",this.onQuote),
this.node.remove()}update(t){this.prefix=t.prefix,this.names=t.names,this.targets=t.targets,this.dress(),this.height.measure();
let e=JSON.stringify([t.place,t.pairs,t.extras,t.aside,t.names]);if(e===this.signature)return;let s=t.place!==this.memory.
place;this.signature=e,s&&(this.memory=new A(t.place),this.looked=new Set,this.find.ask(""),this.list.input.value="",this.
list.shown&&this.list.hide(),this.a.leave(),this.b.leave(),this.findings.moved(t.place)),this.entries=xt(t),this.strip.update(
this.entries),this.list.update(this.entries,t.aside);let i=s?null:this.entry?.files[0]?.id,r=this.entries.find(l=>l.id===
this.memory.get("file"))||this.entries.find(l=>i&&l.files.some(a=>a.id===i))||this.entries.find(l=>!l.identical&&!l.role)||
this.entries[0];r&&this.choose(r),this.together.arrange(),s&&this.ahead.moved(),this.wire.open(t.place)}receive(t){let e=new Set(
t.looked),s=e.size===this.looked.size&&[...e].every(i=>this.looked.has(i));this.looked=e,this.closed=t.closed,s||(this.strip.
draw(),this.list.refresh()),this.find.answered(t.found),this.ahead.follow(t.ahead)}dress(){let t=getComputedStyle(this.node).
getPropertyValue("--st-background-color").trim(),e=h("span",{attributes:{style:"display:none"}});e.style.color=t||"#fff",
this.node.append(e);let[s,i,n]=(getComputedStyle(e).color.match(/[\d.]+/g)||[255,255,255]).map(Number);e.remove();let r=.299*
s+.587*i+.114*n<128?"dark":"light";if(r!==this.theme){this.theme=r,this.node.dataset.theme=r;for(let l of[this.a,this.b])
for(let a of l.frames)a.paint()}}choose(t){this.entry=t,this.memory.set("file",t.id),this.strip.select(t),this.list.select(
t),this.node.classList.toggle("single",!!t.role),this.a.node.classList.toggle("task",!!t.role),t.role?this.a.show(t.a,it[t.
role]||"Task file",""):(this.a.show(t.a,this.names?`A: ${this.names.A}`:"Output A","Output A has no such file."),this.b.
show(t.b,this.names?`B: ${this.names.B}`:"Output B","Output B has no such file.")),this.attention.turn(t),this.together.
arrange(),this.differences.apply()}async pick(t){this.list.shown&&this.list.hide(),this.choose(t),this.list.hits(t)&&await this.
find.open(t)}async first(t,e){this.find.ask(t),this.find.counts.size?(this.list.hide(),await this.find.go(1)):e&&await this.
pick(e)}step(t){let e=this.strip.shown();if(!e.length)return!1;let s=e.indexOf(this.entry);return this.choose(e[(s+t+e.length)%
e.length]),!0}tick(t){let e=w(t,this.looked);this.mark(t.files.map(s=>s.id),!e),t===this.entry&&this.attention.stop()}mark(t,e){
let s=new Set(this.looked);for(let i of t)e?s.add(i):s.delete(i);this.looked=s,this.wire.tell({do:"look",files:t,on:e}),
this.strip.draw(),this.list.refresh()}act(t){if(!this.node.isConnected||!this.entry)return!1;let e=this.together.side===
"b"?this.b:this.a,s={"into-a":()=>this.a.current?.node.focus({preventScroll:!0}),"into-b":()=>this.b.current?.node.focus(
{preventScroll:!0}),"next-file":()=>this.step(1),"previous-file":()=>this.step(-1),files:()=>this.list.toggle(),search:()=>this.
list.show(),looked:()=>this.tick(this.entry),source:()=>this.turn(),which:()=>this.together.next(),"side-a":()=>this.together.
show("a"),"side-b":()=>this.together.show("b"),both:()=>this.together.show("both"),swap:()=>this.together.toggle("swappe\
d"),linked:()=>this.together.toggle("linked"),differences:()=>this.differences.toggle(),"next-change":()=>this.differences.
go(1),"previous-change":()=>this.differences.go(-1),"next-hit":()=>this.find.counts.size?this.find.go(1):this.differences.
go(1),"previous-hit":()=>this.find.counts.size?this.find.go(-1):this.differences.go(-1),"zoom-in":()=>this.together.zoomed(
e,1),"zoom-out":()=>this.together.zoomed(e,-1),"zoom-fit":()=>this.together.zoomed(e,0),evidence:()=>[this.a,this.b].find(
i=>i.passage.picked)?.passage.choices(),comment:()=>this.comment()};return!Object.hasOwn(s,t)||t.endsWith("-hit")&&!this.
find.counts.size&&!this.differences.summary||t==="evidence"&&(this.closed||![this.a,this.b].some(i=>i.passage.picked&&i.
label()))?!1:(s[t](),!0)}turn(){let t=this.a.current?.mode==="source"||!this.a.file&&this.b.current?.mode==="source"?"vi\
ew":"source";for(let e of[this.a,this.b])e.turn(t)}comment(){let t=[this.a,this.b].find(e=>e.passage.picked);if(t)t.passage.
comment();else{let e=this.together.side==="b"||!this.a.file?this.b:this.a;this.wire.tell({do:"write-comment",passage:{fileId:e.
file.id,text:"",start:null,end:null,file:e.file.name,label:e.label()}})}}async quote(t){let e=this.entries.find(i=>i.a?.
id===t.fileId||i.b?.id===t.fileId);this.a.clear(),this.b.clear(),this.differences.turned();let s=!1;if(e){e!==this.entry&&
this.choose(e);let i=e.a?.id===t.fileId?this.a:this.b;!e.role&&(this.together.narrow||this.memory.get("side")!=="both")&&
this.together.show(i.side),this.node.scrollIntoView({block:"nearest"}),s=t.text?await i.quote(t):!0}else(t.label==="B"?this.
b:this.a).tell("The quoted file is in neither output.");window.dispatchEvent(new CustomEvent("comparator:quote-shown",{detail:{
fileId:t.fileId,found:s}}))}};function ai(o){let t=o.parentElement,e=mt.get(t);e||(e=new gt(t),mt.set(t,e)),e.generation+=
1;let s=e.generation;return e.update(o.data),()=>{e.generation===s&&(mt.delete(t),e.destroy())}}export{ai as default};
