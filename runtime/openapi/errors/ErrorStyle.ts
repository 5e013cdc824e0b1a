/** The look of the error pages, in light and dark and on narrow screens. */
export const errorStyle = `:root { color-scheme: light dark; --text: #1c2330; --soft: #566072; --line: #d9dee7; --page: #ffffff; --code: #f1f4f9; --link: #0b5fae; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ef; --soft: #a3adbd; --line: #313a49; --page: #12161d; --code: #1c222c; --link: #7cb8f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); }
nav, main { max-width: 46rem; margin: 0 auto; padding: 0.75rem 1.25rem; }
nav a { margin-right: 1.25rem; }
main { padding-bottom: 4rem; }
a { color: var(--link); }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; margin: 1.5rem 0 0.5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.25rem; }
p { margin: 0.4rem 0; }
.meaning { font-size: 1.1rem; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 1.25rem 0 0; padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
dt { color: var(--soft); }
dd { margin: 0; }
code { font: 0.9em ui-monospace, monospace; background: var(--code); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--code); padding: 1rem; border-radius: 8px; overflow-x: auto; }
pre code { padding: 0; overflow-wrap: normal; }
ul { padding-left: 1.2rem; }
.codes { list-style: none; padding: 0; }
.codes li { padding: 0.5rem 0; border-bottom: 1px solid var(--line); color: var(--soft); }
.codes a { display: block; }
`
