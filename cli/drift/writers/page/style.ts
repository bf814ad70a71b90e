/** The page's style sheet, light and dark. */
export const STYLE = `
:root{color-scheme:light dark;--ground:light-dark(#f6f7f9,#0f1318);--sheet:light-dark(#fff,#171c23);
--ink:light-dark(#1b2330,#e4e9f0);--soft:light-dark(#5c687a,#93a0b3);--line:light-dark(#dfe4ea,#2a323d);
--drifted:light-dark(#b45309,#f5a524);--missing:light-dark(#be123c,#fb7185);--unreadable:light-dark(#7c3aed,#b79bff);
--ignored:light-dark(#64748b,#8b98aa);--in-sync:light-dark(#15803d,#4ade80);
--was:light-dark(#fdecec,#3a1d22);--is:light-dark(#e7f6ec,#16301f);--was-mark:light-dark(#f7b9b9,#7d2f39);--is-mark:light-dark(#a9e0bb,#256b3d)}
:root.light{color-scheme:light}:root.dark{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header{max-width:1080px;margin:0 auto;padding:0 24px}
header{padding-top:32px;display:flex;gap:16px;align-items:flex-start;justify-content:space-between}
header>div{min-width:0}
h1{overflow-wrap:anywhere;font-size:26px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
.made{margin:0;color:var(--soft);font-size:13px}
button,input{font:inherit;color:inherit}
.scheme{background:var(--sheet);border:1px solid var(--line);border-radius:8px;padding:5px 12px;cursor:pointer;font-size:13px;white-space:nowrap}
.counts{display:grid;grid-template-columns:repeat(5,1fr);gap:12px;margin:24px 0 16px}
.count{--own:var(--ignored);text-align:left;background:var(--sheet);border:1px solid var(--line);border-top:4px solid var(--own);border-radius:10px;padding:12px 16px;cursor:pointer}
.count b{display:block;font-size:28px;line-height:1.15;font-variant-numeric:tabular-nums}
.count span{color:var(--soft);font-size:13px}
.count[aria-pressed=false]{opacity:.45;border-top-color:var(--line)}
.count.none b{color:var(--soft);font-weight:400}
.drifted{--own:var(--drifted)}.missing{--own:var(--missing)}.unreadable{--own:var(--unreadable)}.ignored{--own:var(--ignored)}.in-sync{--own:var(--in-sync)}
.find{position:sticky;top:0;background:var(--ground);padding:8px 0 12px;z-index:1;display:flex;gap:12px;align-items:center}
.find input{flex:1;background:var(--sheet);border:1px solid var(--line);border-radius:8px;padding:8px 12px}
.find output{color:var(--soft);font-size:13px;white-space:nowrap;min-width:8em;text-align:right}
:focus-visible{outline:2px solid var(--drifted);outline-offset:1px}
details,.plain{background:var(--sheet);border:1px solid var(--line);border-left:4px solid var(--own);border-radius:8px;margin:0 0 8px;content-visibility:auto;contain-intrinsic-size:auto 46px}
summary,.plain{padding:10px 14px;display:flex;gap:12px;align-items:baseline;min-width:0}
summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
summary::after{content:"";margin-left:auto;flex:none;width:7px;height:7px;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg) translateY(-3px)}
details[open] summary::after{transform:rotate(225deg)}
.word{flex:none;width:7em;color:var(--own);font-weight:600;font-size:13px}
.type{flex:none;color:var(--soft);font-size:13px}
.name{font-weight:600;overflow-wrap:anywhere}
.id{color:var(--soft);font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.details{padding:0 14px 14px}
.when{color:var(--soft);font-size:13px;margin:0 0 8px}
.why{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--ground);border-radius:6px;padding:10px 12px;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
table{width:100%;border-collapse:collapse;table-layout:fixed;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
th{text-align:left;font:600 12px system-ui,sans-serif;color:var(--soft);padding:4px 10px;border-bottom:1px solid var(--line)}
th:first-child{width:30%}
td{vertical-align:top;padding:6px 10px;border-bottom:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere}
tr:last-child td{border-bottom:0}
.was{background:var(--was)}.is{background:var(--is)}
.was mark{background:var(--was-mark);color:inherit;border-radius:2px}.is mark{background:var(--is-mark);color:inherit;border-radius:2px}
.over td{color:var(--soft)}.over .was,.over .is{background:none}.over mark{background:none}
.by{display:inline-block;font:11px system-ui,sans-serif;border:1px solid var(--line);border-radius:99px;padding:0 8px;margin-left:6px;white-space:nowrap}
.nothing{color:var(--soft);text-align:center;padding:32px}
footer{padding:16px 0 40px;color:var(--soft);font-size:12px}
[hidden]{display:none!important}
@media(max-width:720px){header{flex-wrap:wrap}.count:last-child{grid-column:1/-1}.counts{grid-template-columns:repeat(2,1fr)}summary,.plain{flex-wrap:wrap;gap:2px 10px}.word{width:auto}main,header{padding:0 14px}header{padding-top:20px}}
@media print{.find,.scheme{display:none}details,.plain{break-inside:avoid;content-visibility:visible}}
`;
