/**
 * The style sheet of the error page, the only thing the page may use besides its own markup: its
 * Content-Security-Policy allows this text alone, by `STYLE_HASH`.
 */
export const STYLE: string = `
:root{color-scheme:light dark;--paper:#f7f5f0;--ink:#22201c;--soft:#625d54;--line:#ddd7cb;--iron:#3b3832;--mark:#8a3b12}
@media(prefers-color-scheme:dark){:root{--paper:#171614;--ink:#ebe6dc;--soft:#a69f92;--line:#37332d;--iron:#4b463e;--mark:#eb9a63}}
*{margin:0}
body{background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
svg{display:block;width:100%;height:80px;fill:var(--iron)}
main,footer{max-width:40rem;margin:2rem auto;padding:0 1.25rem}
h1{font:600 2.25rem/1.2 Georgia,serif}
h1 span{display:block;margin-bottom:.5rem;font:600 1rem system-ui,sans-serif;color:var(--mark)}
h2{margin:1.75rem 0 .25rem;font-size:1rem;color:var(--soft)}
dl{margin:2.25rem 0 1rem}
div{display:flex;gap:.75rem;padding:.5rem 0;border-top:1px solid var(--line)}
dt{flex:0 0 min(30%,9.5rem)}
dt,footer{color:var(--soft)}
dl,footer{font-size:.9375rem}
code{font:.9em ui-monospace,monospace;-webkit-user-select:all;user-select:all}
a{color:inherit}
`

/** Base64 SHA-256 of `STYLE`, a constant since the hash of the Web platform is asynchronous. */
export const STYLE_HASH: string = '0J/Do5MqctdBsPl6lkOCKvniWetMFoaLezGz9qjXeCM='
