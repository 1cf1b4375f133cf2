// Made by `npm run bundle` from panes/js/inside/agent.js; do not edit.
(()=>{var y=new WeakMap;function u(i,t){for(let n=i.prototype;n;n=Object.getPrototypeOf(n)){let r=Object.getOwnPropertyDescriptor(
n,t);if(r)return r}return null}function S(i){return i?(y.has(i)||y.set(i,new Proxy({},{get(t,n){let r=u(HTMLDocument,n);
if(r)return r.get?r.get.call(i):typeof r.value=="function"?r.value.bind(i):r.value},set(t,n,r){return u(HTMLDocument,n)?.
set?.call(i,r),!0}})),y.get(i)):null}var m=(i,t)=>Element.prototype.closest.call(i,t),d=i=>u(Node,"parentNode").get.call(
i),b=i=>u(Element,"tagName").get.call(i);function g(i){try{return u(Node,"nodeType").get.call(i)===1}catch{return!1}}var v=new Set(["STYLE","SCRIPT","TITLE","TEMPLATE"]);function E(i,t,n){let r=i.createTreeWalker(t,NodeFilter.SHOW_TEXT,a=>{
let h=d(a);return!g(h)||v.has(b(h).toUpperCase())||m(h,"[data-skip]")?NodeFilter.FILTER_REJECT:NodeFilter.FILTER_ACCEPT}),
o=[],e=[],s=[],c=[],l=0;for(let a=r.nextNode();a;a=r.nextNode()){let h=a.data;for(let f=0;f<h.length;f+=1){let p=h[f];n(
p)&&(o.push(p.toLowerCase().length===1?p.toLowerCase():p),e.push(a),s.push(f),c.push(l+f))}l+=h.length}return{text:o.join(
""),nodes:e,offsets:s,raw:c}}var k=i=>!/\s/.test(i),T=i=>/[\p{L}\p{N}]/u.test(i);function C(i,t,n,r,{tags:o}){if(!t)return null;
let e=R(i,n);if(e)return[e];let s=/^\s*\[(?:page|cell) [^\]]*\]\s*$/gm,c=o?/<[^>]*>/g:/(?!)/g,l=N(n.replace(s," ").replace(
c," "));for(let a of new Set([n,l])){let h=L(i,t,a,r);if(h)return[h]}return M(i,t,l,r)}function R(i,t){let[,n,r]=/^\s*([A-Z]{1,3}\d{1,7})\s*:\s*(=[^]*?)\s*$/.
exec(t)||[];if(!n)return null;for(let o of i.querySelectorAll(`[data-cell="${n}"]`)){if(o.textContent.replace(/\s/g,"")!==
r.replace(/\s/g,""))continue;let e=i.createRange();return e.selectNodeContents(o),e}return null}function N(i){let t={amp:"\
&",lt:"<",gt:">",quot:'"',nbsp:" ",apos:"'"};return i.replace(/&(amp|lt|gt|quot|nbsp|apos|#\d{1,6});/g,(n,r)=>t[r]??String.
fromCodePoint(Math.min(Number(r.slice(1)),1114111)))}function M(i,t,n,r){let o=l=>Array.from(l).filter(T).length,e=n.split(
/\s{2,}|[\n|]/).filter(l=>o(l)>=3),s=e.reduce((l,a)=>l+o(a),0);if(e.length<2||s<.6*o(n))return null;let c=e.map(l=>L(i,t,
l,r));return c.every(Boolean)?c:null}function L(i,t,n,r){let o=[[k,1],[T,6]];for(let[e,s]of o){let c=Array.from(n.toLowerCase()).
join("").split("").filter(e).join("");if(c.length<s)continue;let l=E(i,t,e),a=-1;for(let h=l.text.indexOf(c);h>=0&&((a<0||
r!=null&&Math.abs(l.raw[h]-r)<Math.abs(l.raw[a]-r))&&(a=h),r!=null);h=l.text.indexOf(c,h+1));if(a>=0){let h=a+c.length-1,
f=i.createRange();return f.setStart(l.nodes[a],l.offsets[a]),f.setEnd(l.nodes[h],l.offsets[h]+1),f}}return null}function O(i,t,n,r=5e3){
let o=Array.from(n.toLowerCase()).join("").split("").filter(k).join("");if(!o)return[];let e=E(i,t,k),s=[];for(let c=e.text.
indexOf(o);c>=0&&s.length<r;c=e.text.indexOf(o,c+o.length)){let l=c+o.length-1,a=i.createRange();a.setStart(e.nodes[c],e.
offsets[c]),a.setEnd(e.nodes[l],e.offsets[l]+1),s.push(a)}return s}var A=`
::highlight(comparator-quote) { background-color: #ffd54a; color: #111; }
::highlight(comparator-search) { background-color: #b7e4c7; color: #111; }
::highlight(comparator-search-here) { background-color: #2f9e5f; color: #fff; }
`,P=4e3,D="input:not([type=checkbox]), textarea, select, [contenteditable]",w=class{constructor(t,n,{foreign:r=!1,css:o=""}={}){
this.view=t,this.tell=n,this.foreign=r,this.inner=S(t.document),this.hits=[],this.expected=null,this.selecting=0;let e=(s,c,l=!1)=>t.
addEventListener(s,c,{capture:!0,passive:l});e("scroll",s=>s.target===t.document&&this.scrolled(),!0),e("keydown",s=>this.
key(s)),e("click",s=>this.click(s)),e("auxclick",s=>this.click(s)),e("dragstart",s=>this.under(s,"a, area, img")&&s.preventDefault()),
e("selectionchange",()=>{clearTimeout(this.selecting),this.selecting=setTimeout(()=>this.tell({is:"picked",picked:this.picked()}),
200)}),r||e("submit",s=>s.preventDefault());try{let s=new t.CSSStyleSheet;s.replaceSync(A+o),this.inner.adoptedStyleSheets=
[...this.inner.adoptedStyleSheets,s]}catch{}}get root(){return this.inner.body||this.inner.documentElement}get scroller(){
return this.inner.scrollingElement||this.inner.documentElement}under(t,n){for(let r of t.composedPath())if(g(r)&&Element.
prototype.matches.call(r,n))return r;return null}share(){let{scroller:t}=this,n=(r,o)=>o>0?r/o:0;return[n(t.scrollTop,t.
scrollHeight-t.clientHeight),n(t.scrollLeft,t.scrollWidth-t.clientWidth)]}scroll(t){let[n,r]=t,{scroller:o}=this,e=Math.
round(n*(o.scrollHeight-o.clientHeight)),s=Math.round(r*(o.scrollWidth-o.clientWidth));Math.abs(o.scrollTop-e)<1&&Math.abs(
o.scrollLeft-s)<1||(this.expected=[e,s],this.view.scrollTo({top:e,left:s,behavior:"instant"}))}scrolled(){let{expected:t,
scroller:n}=this;this.expected=null;let r=t&&Math.abs(n.scrollTop-t[0])<3&&Math.abs(n.scrollLeft-t[1])<3;this.tell({is:"\
scroll",share:this.share(),own:!!r})}key(t){if(t.isComposing||this.under(t,D))return;let{key:n,code:r,location:o,ctrlKey:e,
shiftKey:s,altKey:c,metaKey:l,repeat:a}=t,h={key:n,code:r,location:o,ctrlKey:e,shiftKey:s,altKey:c,metaKey:l,repeat:a};this.
tell({is:"key",again:h})===!1&&t.preventDefault()}click(t){let n=this.under(t,"a, area");if(!n)return;let r=e=>Element.prototype.
getAttribute.call(n,e),o=(r("href")??r("xlink:href")??"").trim();if(this.foreign){if(o.startsWith("#")||/^javascript:/i.
test(o))return;t.preventDefault(),o&&this.tell({is:"link",address:o.slice(0,2e3)});return}if(t.preventDefault(),o.startsWith(
"#")&&t.type==="click"){let e=o.slice(1);try{e=decodeURIComponent(e)}catch{}let s=e?this.inner.getElementById(e):null,c=s?
s.getBoundingClientRect().top+this.scroller.scrollTop:0;(s||!e)&&(this.scroller.scrollTop=c-4)}else r("data-link")&&this.
tell({is:"link",address:r("data-link")})}picked(){let t=this.inner.getSelection?.();if(!t||t.isCollapsed||!t.rangeCount)
return null;let n=t.toString().trim().slice(0,P);if(n.length<2)return null;let r=t.getRangeAt(0),{left:o,top:e,bottom:s}=r.
getBoundingClientRect();return{text:n,start:W(this.inner,this.root,r.startContainer,r.startOffset),box:{left:o,top:e,bottom:s}}}find(t){
return this.hits=O(this.inner,this.root,t),this.mark("comparator-search",this.hits),this.hits.length}hit(t){let n=this.hits[t];
this.mark("comparator-search-here",n?[n]:[]),n&&this.reveal([n])}quote(t,n){let r=C(this.inner,this.root,t,n,{tags:this.
foreign});return r?(this.mark("comparator-quote",r),this.reveal(r),!0):!1}mark(t,n){try{n.length?this.view.CSS.highlights.
set(t,new this.view.Highlight(...n)):this.view.CSS.highlights.delete(t)}catch{}}unmark(){this.hits=[];for(let t of["comp\
arator-search","comparator-search-here"])this.mark(t,[])}clear(){this.mark("comparator-quote",[])}reveal(t){for(let a of t)
for(let h=a.commonAncestorContainer;h;h=d(h))h.nodeName==="DETAILS"&&(h.open=!0);let[n]=t,r=d(n.startContainer),o=g(r)?r:
this.root,e=n.getBoundingClientRect().height?n.getBoundingClientRect():Element.prototype.getBoundingClientRect.call(o),s=e.
top-this.view.innerHeight*.3,c=e.left<0||e.right>this.view.innerWidth?e.left-60:0;this.view.scrollBy({top:s,left:c,behavior:"\
instant"});let l=m(o,".scroll");if(l){let a=l.getBoundingClientRect();(e.left<a.left||e.right>a.right)&&(l.scrollLeft+=e.
left-a.left-40)}}zoom(t){let n=this.share();this.root.style.zoom=t===1?"":String(t),this.scroll(n)}ping(){return!0}};function W(i,t,n,r){
if(u(Node,"nodeType").get.call(n)!==3)return null;let o=i.createTreeWalker(t,4),e=0;for(let s=o.nextNode();s;s=o.nextNode()){
if(s===n)return e+r;e+=s.data.length}return null}var x=window.parent.parent;if(window.parent!==window.top&&x===window.top){let i=c=>x.postMessage({comparator:c},"*"),t=setTimeout,
n=new w(window,i,{foreign:!0}),r=location.href.split("/",5).join("/"),o={kinds:{},hosts:[]},e=0,s=(c,l)=>{o.kinds[c]=(o.
kinds[c]||0)+1;let a=URL.canParse(l)?new URL(l).hostname:"";a&&!o.hosts.includes(a)&&o.hosts.length<20&&o.hosts.push(a),
e||=t(()=>{e=0,i({is:"missing",missing:o})},300)};window.addEventListener("securitypolicyviolation",c=>s(c.effectiveDirective.
replace(/-src.*/,""),c.blockedURI),!0),window.addEventListener("error",c=>{let{src:l,href:a}=c.target;[l,a].some(h=>typeof h==
"string"&&h.startsWith(r))&&s("here","")},!0),window.addEventListener("message",({source:c,data:l})=>{if(c!==x)return;let{
id:a,act:h,args:f}=l;i({is:"answer",id:a,value:n[h](...f)})}),window.addEventListener("load",()=>i({is:"loaded"})),i({is:"\
began"})}for(let i of["localStorage","sessionStorage"]){let t=new Map,n={getItem:o=>t.get(String(o))??null,setItem:(o,e)=>{
t.set(String(o),String(e))},removeItem:o=>{t.delete(String(o))},clear:()=>t.clear(),key:o=>[...t.keys()][o]??null,get length(){
return t.size}},r=new Proxy(n,{get:(o,e)=>e in o?o[e]:t.get(e),set:(o,e,s)=>(t.set(String(e),String(s)),!0),deleteProperty:(o,e)=>(t.
delete(e),!0)});Object.defineProperty(window,i,{value:r,configurable:!0})}document.currentScript?.remove();})();
