/** The colours of a page, as its style sheet names them. */
export interface Palette {
  readonly paper: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly mark: string
}

/** The colours of who has none of their own, by day. */
export const LIGHT: Palette = {
  paper: '#f7f5f0',
  ink: '#22201c',
  soft: '#625d54',
  line: '#ddd7cb',
  mark: '#8a3b12',
}
/** And by night. */
export const DARK: Palette = {
  paper: '#171614',
  ink: '#ebe6dc',
  soft: '#a69f92',
  line: '#37332d',
  mark: '#eb9a63',
}

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

/**
 * The style sheet of the error page, the only thing the page may use besides its own markup. Nothing
 * in it moves, so there is nothing to hold still for who prefers that.
 */
export function pageStyle(light: Palette, dark: Palette): string {
  const scheme = light === dark ? 'normal' : 'light dark'
  const night =
    light === dark ? '' : `@media(prefers-color-scheme:dark){:root{${variables(dark)}}}\n`
  return `
:root{color-scheme:${scheme};${variables(light)}}
${night}*{box-sizing:border-box;margin:0;padding:0}
body{min-height:100vh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{width:100%;max-width:44rem;margin:0 auto;padding:0 1.5rem}
header{display:flex;align-items:center;gap:.75rem;padding-top:1.75rem;padding-bottom:1.75rem;font-weight:600}
header svg{flex:none;width:1.75rem;height:1.75rem;fill:var(--mark)}
header img{display:block;max-width:10rem;max-height:2.5rem}
main{flex:1;padding-top:clamp(1rem,5vh,4rem)}
h1{font:600 clamp(1.9rem,6vw,2.75rem)/1.15 Georgia,serif;letter-spacing:-.01em;text-wrap:balance}
h1 span{display:block;margin-bottom:.75rem;font:600 1rem system-ui,sans-serif;letter-spacing:.02em;color:var(--mark)}
ol{display:flex;margin:2.5rem 0 2rem;list-style:none;text-align:center}
li{flex:1;position:relative;font-size:.9375rem;line-height:1.4}
li::before{content:"";display:block;position:relative;z-index:1;width:1.25rem;height:1.25rem;margin:0 auto .6rem;border:2px solid var(--soft);border-radius:50%;background:var(--paper)}
li+li::after{content:"";position:absolute;top:.625rem;left:calc(-50% + .625rem);right:calc(50% + .625rem);border-top:2px solid var(--line)}
li span{display:block;color:var(--soft);font-size:.875rem}
li.cause::before{border-color:var(--mark);background:var(--mark);box-shadow:inset 0 0 0 3px var(--paper)}
li.cause,li.cause span{color:var(--mark);font-weight:600}
h2{margin:0 0 .35rem;font-size:1rem;font-weight:600;color:var(--soft)}
section{margin:1.5rem 0}
.do{padding:.25rem 0 .25rem 1.25rem;border-left:3px solid var(--mark)}
dl{margin:2.25rem 0 0;font-size:.9375rem;line-height:1.5}
div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.55rem 0;border-top:1px solid var(--line)}
dt{flex:0 0 9rem;color:var(--soft)}
dd{flex:1 1 10rem}
code{font:.9375em ui-monospace,Menlo,Consolas,monospace;-webkit-user-select:all;user-select:all}
div:first-child code{font-size:1.125rem;letter-spacing:.03em}
a{color:inherit;text-underline-offset:.2em}
a:focus-visible{outline:3px solid var(--mark);outline-offset:3px}
main p a{display:inline-block;padding:.5rem 0}
footer{padding-top:2rem;padding-bottom:2.5rem;font-size:.875rem;color:var(--soft)}
`
}
