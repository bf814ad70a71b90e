/** The page's script: filters by verdict and by text, and switches between light and dark. It sends nothing. */
export const SCRIPT = `
const all=[...document.querySelectorAll("[data-verdict]")];
const text=new Map(all.map((one)=>[one,one.textContent.toLowerCase()]));
const counts=[...document.querySelectorAll(".count")];
const find=document.querySelector("#find"),shown=document.querySelector("#shown"),nothing=document.querySelector(".nothing");
function filter(){
  const words=new Set(counts.filter((one)=>one.getAttribute("aria-pressed")==="true").map((one)=>one.dataset.word));
  const parts=find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let number=0;
  for(const one of all){
    const fits=words.has(one.dataset.verdict)&&parts.every((part)=>text.get(one).includes(part));
    one.hidden=!fits;
    if(fits)number+=1;
  }
  shown.textContent=number===all.length?all.length+" resources":number+" of "+all.length;
  nothing.hidden=number>0;
}
for(const one of counts)one.addEventListener("click",()=>{
  one.setAttribute("aria-pressed",String(one.getAttribute("aria-pressed")!=="true"));
  filter();
});
find.addEventListener("input",filter);
const scheme=document.querySelector(".scheme");
scheme.hidden=false;
scheme.addEventListener("click",()=>{
  const root=document.documentElement;
  const isDark=root.classList.contains("dark")||(!root.classList.contains("light")&&matchMedia("(prefers-color-scheme:dark)").matches);
  root.classList.toggle("dark",!isDark);
  root.classList.toggle("light",isDark);
});
document.querySelector(".find").hidden=false;
filter();
`;
