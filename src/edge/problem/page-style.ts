/**
 * The style sheet of the error page, the only thing the page may use besides its own markup: its
 * Content-Security-Policy allows this text alone, by `STYLE_HASH`.
 */
export const STYLE: string = `
:root{color-scheme:light dark;--paper:#f7f5f0;--ink:#22201c;--soft:#625d54;--line:#ddd7cb;--iron:#3b3832;--mark:#8a3b12}
@media(prefers-color-scheme:dark){:root{--paper:#171614;--ink:#ebe6dc;--soft:#a69f92;--line:#37332d;--iron:#4b463e;--mark:#eb9a63}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,sans-serif}
svg{display:block;width:100%;height:5rem;fill:var(--iron)}
main,footer{width:100%;max-width:42rem;margin:0 auto;padding:0 1.25rem}
main{flex:1}
h1{margin:2.25rem 0 2rem;font:600 clamp(1.75rem,1.2rem + 2.6vw,2.75rem)/1.15 ui-serif,Georgia,serif;overflow-wrap:anywhere;text-wrap:balance}
h1 span{display:block;margin-bottom:.6rem;font:600 .875rem/1.4 system-ui,sans-serif;letter-spacing:.08em;text-transform:uppercase;color:var(--mark)}
h2{margin:1.75rem 0 .35rem;font-size:.9375rem;font-weight:600;color:var(--soft)}
dl{margin-top:2.25rem;border-top:1px solid var(--line);font-size:.9375rem}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
dt{flex:0 0 9.5rem;color:var(--soft)}
dd{flex:1 1 12rem;overflow-wrap:anywhere}
code{font:.9375em ui-monospace,monospace;user-select:all;-webkit-user-select:all}
a{color:inherit;text-underline-offset:.2em}
footer{padding-top:2rem;padding-bottom:2rem;font-size:.8125rem;color:var(--soft)}
@media(prefers-reduced-motion:no-preference){svg{animation:fall .5s cubic-bezier(.3,0,.3,1)}@keyframes fall{from{transform:translateY(-100%)}}}
@media print{svg{display:none}}
`

/** Base64 SHA-256 of `STYLE`, a constant since the hash of the Web platform is asynchronous. */
export const STYLE_HASH: string = 'C7xBDwPZ6wIF4CmlD7g6hDQLeHdZwKm5vl2vuXN5fpQ='
