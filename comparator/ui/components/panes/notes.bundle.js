// Made by `npm run bundle` from panes/notes/notes.js; do not edit.
function n(s,{attributes:t={},children:e=[],text:i=null,on:a={}}={}){let o=document.createElement(s);for(let[r,l]of Object.
entries(t))l!==null&&l!==!1&&o.setAttribute(r,l===!0?"":l);i!==null&&(o.textContent=i);for(let r of e)r&&o.append(r);for(let[
r,l]of Object.entries(a))o.addEventListener(r,l);return o}var S={link:"M9 15l6-6M10.5 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6l-1.8\
 1.8M13.500 17.500l-1.800 1.800a4.200 4.200 0 0 1-6-6l1.800-1.800",swap:"M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",download:"\
M12 4v11M7 10.500l5 5 5-5M5 20h14",left:"M14.500 5l-7 7 7 7",right:"M9.500 5l7 7-7 7",list:"M4 6h16M4 12h16M4 18h10",close:"\
M6 6l12 12M18 6L6 18",tick:"M5 12.500l4.500 4.500L19 7.500",apart:"M10 12H3M6 9l-3 3 3 3M14 12h7M18 9l3 3-3 3",differ:"M\
5 9h14M5 15h14M16 4L8 20",undo:"M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9"};function $(s){let t="http://www.w3.org/2000/svg",
e=document.createElementNS(t,"svg");e.setAttribute("viewBox","0 0 24 24"),e.setAttribute("aria-hidden","true");let i=document.
createElementNS(t,"path");return i.setAttribute("d",S[s]),e.append(i),e}function h(s,{symbol:t=null,text:e=null,pressed:i=null,
press:a,kind:o=""}){let r=n("button",{attributes:{type:"button",title:s,"aria-label":s,class:o||null},children:t?[$(t)]:
[],on:{click:a}});return e!==null&&r.append(n("span",{text:e})),i!==null&&r.setAttribute("aria-pressed",String(i)),r}function d(s,t){
let e=Array.from(s);if(e.length<=t)return s;let i=Math.ceil((t-1)*.6);return e.slice(0,t-1-i).join("")+"…"+e.slice(-i).
join("")}var u=class{constructor(t){this.name=`comparator.notes.${t}`,this.items=[];try{this.items=JSON.parse(localStorage.getItem(
this.name)||"[]")}catch{}}put(t){let e=this.items.at(-1);t.do==="look"&&e?.do==="look"&&e.on===t.on&&!e.sent&&e.files.length<
500?e.files=[...new Set([...e.files,...t.files])]:this.items.push({...t,id:f()}),this.save()}drop(t){let e=this.items.length;
this.items=this.items.filter(i=>!t.has(i.id)),this.items.length!==e&&this.save()}outgoing(){for(let t of this.items)t.sent=
!0;return this.items.slice(0,200).map(({sent:t,...e})=>e)}save(){try{this.items.length?localStorage.setItem(this.name,JSON.
stringify(this.items)):localStorage.removeItem(this.name)}catch{}}};function f(){let s="abcdefghijklmnopqrstuvwxyz234567";
return Array.from(crypto.getRandomValues(new Uint8Array(20)),t=>s[t&31]).join("")}function E(s){let t=Math.max(0,Math.round((Date.now()-new Date(s).getTime())/1e3));return t<60?"just now":t<3600?`${Math.
floor(t/60)} min ago`:t<86400?`${Math.floor(t/3600)} h ago`:`${Math.floor(t/86400)} d ago`}function b({fileId:s,label:t,
text:e,start:i}){window.dispatchEvent(new CustomEvent("comparator:show-quote",{detail:{fileId:s,label:t,text:e,start:i}}))}
function m(s){let t=s.text?`“${d(s.text.replace(/\s+/g," "),160)}”`:`on ${d(s.file,60)}`;return h(s.text?`Show in ${s.
file}`:`Show ${s.file}`,{text:t,kind:"passage-link",press:()=>b(s)})}function p(s){return[...s.label?[n("b",{attributes:{
class:`mark ${s.label.toLowerCase()}`},text:s.label})]:[],n("span",{attributes:{class:"file",title:s.file},text:d(s.file,
50)})]}function w(s,t,e){let i=[n("b",{text:s.mine?"You":s.author}),n("time",{attributes:{title:new Date(s.at).toLocaleString()},
text:E(s.at)})];s.fileId&&i.push(...p({...s,text:s.selection}));let a=s.fileId&&s.selection?[m({...s,text:s.selection})]:
[],o=s.fileId&&!s.selection?[h(`Show ${s.file}`,{text:"Show file",kind:"quiet",press:()=>b({...s,text:""})})]:[];return n(
"li",{children:[n("div",{attributes:{class:"head"},children:i}),...a,n("p",{text:s.text}),n("div",{attributes:{class:"ac\
ts"},children:[...o,h(`Reply to ${s.mine?"your comment":s.author}`,{text:"Reply",kind:"quiet",press:()=>e.reply(s)})]}),
t.length?n("ul",{children:t.map(([r,l])=>w(r,l,e))}):null]})}function v(s){let t=new Set(s.map(a=>a.id)),e=new Map;for(let a of s){
let o=t.has(a.repliesTo)?a.repliesTo:null;e.has(o)||e.set(o,[]),e.get(o).push(a)}let i=a=>(e.get(a)||[]).map(o=>[o,i(o.id)]);
return i(null)}var g=new WeakMap,k=4e3,x=class{constructor(t){this.root=t,this.place=null,this.generation=0,this.state=null,this.draft=
null,this.open=!1,this.fold=h("Comments and your evidence",{text:"Notes",kind:"fold",press:()=>{this.open=!this.open,this.
draw()}}),this.write=h("Comment on the whole comparison",{text:"Comment",press:()=>this.compose({passage:null})}),this.says=
n("span",{attributes:{class:"says",role:"status"}}),this.bar=n("div",{attributes:{class:"line"},children:[this.fold,this.
write,this.says]}),this.form=this.composer(),this.pieces=n("ul",{attributes:{class:"pieces","aria-label":"Your evidence"}}),
this.list=n("ul",{attributes:{class:"threads","aria-label":"Comments"}}),this.body=n("div",{attributes:{class:"body"},children:[
this.form,this.pieces,this.list]}),this.node=n("section",{attributes:{class:"notes","aria-label":"Notes"},children:[this.
bar,this.body]}),t.append(this.node),this.onNote=e=>this.take(e.detail||{}),this.onWanted=e=>{e.detail?.place===this.place&&
this.tell()},this.onWithdraw=e=>this.take({place:this.place,do:"withdraw",text:e.detail?.id}),window.addEventListener("c\
omparator:note",this.onNote),window.addEventListener("comparator:notes-wanted",this.onWanted),window.addEventListener("c\
omparator:withdraw-evidence",this.onWithdraw),this.ticking=setInterval(()=>this.again(),k)}destroy(){clearInterval(this.
ticking),window.removeEventListener("comparator:note",this.onNote),window.removeEventListener("comparator:notes-wanted",
this.onWanted),window.removeEventListener("comparator:withdraw-evidence",this.onWithdraw),this.node.remove()}composer(){
return this.about=n("div",{attributes:{class:"about"}}),this.text=n("textarea",{attributes:{rows:"2",maxlength:"8000","a\
ria-label":"Comment",placeholder:"Write a comment"},on:{keydown:t=>this.key(t),input:()=>this.keep()}}),n("form",{attributes:{
hidden:!0},on:{submit:t=>{t.preventDefault(),this.send()}},children:[this.about,this.text,n("div",{attributes:{class:"ac\
ts"},children:[n("button",{attributes:{type:"submit",class:"main"},text:"Add comment"}),h("Do not comment",{text:"Cancel",
press:()=>this.cancel()})]})]})}update(t){let{data:e}=t;this.api=t,e.place!==this.place&&(this.place=e.place,this.outbox=
new u(`${e.place}.${e.owner}`),this.asked=null,this.draft=this.kept(),this.open=!1),this.state=e,this.unheard=0,this.outbox.
drop(new Set(e.handled)),this.outbox.items.some(i=>!i.sent)&&this.flush(),this.draw(),this.tell()}tell(){if(!this.state)
return;let t=this.outbox.items.filter(a=>a.do==="look"),e=new Set(this.state.looked);for(let{files:a,on:o}of t)for(let r of a)
o?e.add(r):e.delete(r);let i={place:this.place,looked:[...e],evidence:this.state.evidence,closed:this.state.closed,found:this.
state.found,ahead:this.state.ahead};window.dispatchEvent(new CustomEvent("comparator:notes",{detail:i}))}take(t){if(t.place!==
this.place||!this.outbox)return;let{place:e,...i}=t;t.do==="write-comment"?this.compose({passage:t.passage}):t.do==="sea\
rch"?(this.asked={id:f(),text:t.text},this.sentAt=Date.now(),this.api.setStateValue("query",{place:this.place,...this.asked})):
(this.outbox.put(i),clearTimeout(this.timer),this.timer=setTimeout(()=>this.flush(),t.do==="look"?600:0),this.draw())}flush(){
clearTimeout(this.timer),this.timer=0,this.outbox.items.length&&(this.sentAt=Date.now(),this.api.setStateValue("outbox",
{place:this.place,items:this.outbox.outgoing()}))}again(){!this.outbox?.items.length||Date.now()-this.sentAt<k||!this.root.
isConnected||(this.api.setStateValue("outbox",{place:this.place,items:this.outbox.outgoing(),again:Date.now()}),this.sentAt=
Date.now(),this.unheard+=1,this.unheard>1&&window.dispatchEvent(new CustomEvent("comparator:unheard")),this.draw())}get draftName(){
return`comparator.notes.draft.${this.place}`}kept(){try{return JSON.parse(sessionStorage.getItem(this.draftName)||"null")}catch{
return null}}keep(){this.draft&&(this.draft.written=this.text.value);try{this.draft?sessionStorage.setItem(this.draftName,
JSON.stringify(this.draft)):sessionStorage.removeItem(this.draftName)}catch{}}compose({passage:t=null,reply:e=null}){let i=this.
draft?.written||"";this.draft={passage:t,reply:e,written:i},this.open=!0,this.keep(),this.draw(),this.text.focus({preventScroll:!0}),
this.form.scrollIntoView({block:"nearest"})}cancel(){this.draft=null,this.text.value="",this.keep(),this.draw()}key(t){t.
stopPropagation(),!t.isComposing&&(t.key==="Escape"&&this.cancel(),t.key==="Enter"&&(t.ctrlKey||t.metaKey)&&(t.preventDefault(),
this.send()))}send(){let t=this.text.value.trim();if(!t||!this.draft)return;let{passage:e,reply:i}=this.draft;this.draft=
null,this.text.value="",this.keep(),this.take({place:this.place,do:"comment",text:t,passage:e,repliesTo:i?.id||null})}draw(){
let{comments:t,evidence:e,refused:i}=this.state,a=[];t.length&&a.push(`${t.length} comment${t.length===1?"":"s"}`),e.length&&
a.push(`${e.length} piece${e.length===1?"":"s"} of evidence`);let o=!a.length&&!this.draft;this.fold.hidden=o,this.fold.
lastChild.textContent=`${this.open?"▾":"▸"} ${a.join(", ")||"Notes"}`,this.fold.setAttribute("aria-label",a.join(", ")||
"Notes"),this.fold.setAttribute("aria-expanded",String(this.open));let r=this.outbox.items.filter(c=>c.do!=="look").length,
l=i.at(-1);this.says.classList.toggle("bad",!!l),this.says.textContent=l?`Not stored: ${l}`:r?this.unheard>0?"Not saved \
yet, will be sent again":"Saving…":o?"Select words in an output to attach them as evidence or to comment on them.":"",
this.body.hidden=!(this.open||this.draft),this.form.hidden=!this.draft,this.draft&&this.drawDraft();let y={reply:c=>this.
compose({reply:c})};this.list.replaceChildren(...v(t).map(([c,M])=>w(c,M,y))),this.pieces.replaceChildren(...e.map(c=>this.
piece(c)))}drawDraft(){let{passage:t,reply:e,written:i}=this.draft,a=[];e?a.push(n("span",{text:`In reply to ${e.mine?"y\
ourself":e.author}: “${d(e.text,100)}”`})):t?(a.push(...p({label:t.label,file:t.file||""})),t.text&&a.push(n("q",{text:d(
t.text.replace(/\s+/g," "),160)}))):a.push(n("span",{text:"On the whole comparison"})),this.about.replaceChildren(...a),
this.text.value!==i&&this.root.getRootNode().activeElement!==this.text&&this.text.getRootNode().activeElement!==this.text&&
(this.text.value=i)}piece(t){let e=this.state.closed?[]:[h(`Withdraw this evidence: ${d(t.text,60)}`,{text:"Withdraw",kind:"\
quiet",press:()=>this.take({place:this.place,do:"withdraw",text:t.id})})];return n("li",{children:[n("div",{attributes:{
class:"head"},children:[n("b",{text:"Evidence"}),n("span",{text:`for ${t.name}`}),...p(t)]}),m(t),...e]})}};function W(s){
let t=s.parentElement,e=g.get(t);e||(e=new x(t),g.set(t,e)),e.generation+=1;let i=e.generation;return e.update(s),()=>{e.
generation===i&&(g.delete(t),e.destroy())}}export{W as default};
