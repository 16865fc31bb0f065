/** The style sheet of the API page, in the colours of the error page. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#f7f5f0;--card:#fffdf9;--ink:#22201c;--soft:#625d54;--line:#ddd7cb;--mark:#8a3b12;--read:#24563f;--write:#7a4a00;--gone:#8f2323}
@media(prefers-color-scheme:dark){:root{--paper:#171614;--card:#1f1d1a;--ink:#ebe6dc;--soft:#a69f92;--line:#37332d;--mark:#eb9a63;--read:#8cc9a8;--write:#e5b866;--gone:#f0908a}}
*{box-sizing:border-box;margin:0}
html{scroll-padding-top:1rem}
body{background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:.15em;text-decoration-color:var(--mark)}
a:hover{color:var(--mark)}
:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
main:focus{outline:0}
.skip{position:absolute;left:-99rem;padding:.5rem 1rem;background:var(--card)}
.skip:focus{left:0;top:0;z-index:1}
header,nav,main{padding:1.25rem}
header{border-bottom:1px solid var(--line)}
header p{color:var(--soft)}
h1,h2{font-family:Georgia,serif;font-weight:600;line-height:1.2}
h1{font-size:1.9rem;margin-bottom:.5rem}
h2{font-size:1.6rem;margin:3rem 0 1rem}
section:first-child>h2{margin-top:.5rem}
h3{font-size:1.1rem;line-height:1.35;margin:1.5rem 0 .35rem}
h4{font-size:.9rem;color:var(--soft);margin:1.1rem 0 .25rem}
section>p,section>pre{margin-bottom:.75rem}
article{margin:1rem 0;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
article:target{border-color:var(--mark);box-shadow:0 0 0 1px var(--mark)}
article h3,article h4:first-child{margin-top:0}
article h3 a,article h4 a{text-decoration:none}
.code h4{font-size:1rem;color:inherit}
.code h4 a{color:var(--mark);text-decoration:underline;font-variant-numeric:tabular-nums}
code{font:.9em ui-monospace,monospace}
pre{overflow-x:auto;overflow-wrap:normal;padding:.75rem;background:var(--paper);border:1px solid var(--line);border-radius:.35rem}
section>pre{background:var(--card)}
b{color:var(--mark)}
b.get{color:var(--read)}
b.post,b.put,b.patch{color:var(--write)}
b.delete{color:var(--gone)}
ul{list-style:none;padding:0}
.members{margin-top:.35rem}
.members>li{padding:.4rem 0;border-top:1px solid var(--line)}
.members .members{margin:.35rem 0 0 .25rem;padding-left:.75rem;border-left:2px solid var(--line)}
.members p{color:var(--soft);font-size:.95em}
.members .name{font-weight:600}
.members strong{font-size:.85em;font-weight:400;color:var(--mark)}
.kind{color:var(--soft)}
small{display:block;font-size:.875em;color:var(--soft)}
dt{margin-top:.5rem;font-size:.9rem;font-weight:600;color:var(--soft)}
dd{margin:0}
nav ul ul{display:none}
nav>ul{columns:2;column-gap:1rem}
nav li{padding:.2rem 0}
@media(min-width:60rem){
body{display:grid;grid-template-columns:20rem minmax(0,1fr);grid-template-rows:auto 1fr}
header{grid-column:1/-1;padding:2rem}
nav{position:sticky;top:0;max-height:100vh;overflow-y:auto;font-size:.875rem;border-right:1px solid var(--line)}
nav>ul{columns:auto}
nav>ul>li{padding:.35rem 0}
nav>ul>li>a{font-weight:600}
nav ul ul{display:block;padding:.25rem 0 .25rem .75rem}
nav a{text-decoration:none}
nav ul ul a:has(b){display:grid;grid-template-columns:3.6em 1fr;align-items:baseline}
nav b{font:.85em ui-monospace,monospace}
main{max-width:56rem;padding:1.5rem 2rem 6rem}
article{padding:1.25rem 1.5rem}
}
`
