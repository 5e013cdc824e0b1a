import type { CodeSample } from "@carteiro/openapi/Openapi.ts"
import { Marked } from "marked"
import { type Html, html, trustedMarkup } from "../kit/Html.ts"

/** Where links and pictures of the guides lead. */
export interface GuideContext {
  /** Names of the guides that have a page. */
  readonly names: ReadonlySet<string>
  /** Whether the guide is a translation, which stands one folder below the others. */
  readonly isTranslated?: boolean
  /** Drawings by their names, such as `owners.svg`, which stand in the page. */
  readonly drawings: ReadonlyMap<string, string>
  /** Returns how large a picture is, in pixels; undefined for one that is not there. */
  readonly sizeOf: (name: string) => { readonly width: number; readonly height: number } | undefined
  /** Returns the same calls with curl, the SDK and the command line; none for a block that calls nothing. */
  readonly samplesOf: (block: string) => ReadonlyArray<CodeSample>
}

/** Returns a guide as markup: its headings have anchors, its links lead to pages that exist. */
export const renderGuide = (text: string, context: GuideContext): Html => {
  const slugs = new Map<string, number>()
  let blocks = 0
  const marked = new Marked({ gfm: true, async: false })
  marked.use({
    renderer: {
      heading: (content, level, raw) => {
        const slug = slugOf(raw)
        const count = slugs.get(slug) ?? 0
        slugs.set(slug, count + 1)
        return `<h${level} id="${count === 0 ? slug : `${slug}-${count}`}">${content}</h${level}>\n`
      },
      link: (href, _title, content) => linkTo(href, content, context),
      image: (href, _title, alt) => picture(href, alt, context).markup,
      code: (code, language) => {
        const samples = language === "sh" ? context.samplesOf(code) : []
        const own = { label: language === "sh" ? "Shell" : (language ?? "Text"), source: code }
        return samples.length === 0 ? block(own.source).markup : tabs(`block-${++blocks}`, [own, ...samples]).markup
      },
      tablecell: (content, { header }) =>
        header && content !== "" ? `<th scope="col">${content}</th>` : `<td>${content}</td>`,
      table: (head, body) => `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<thead>${head}</thead><tbody>${body}</tbody></table></div>\n`,
      html: (raw) => html`${raw}`.markup
    }
  })
  return trustedMarkup(marked.parse(text) as string)
}

/** Returns the anchor of a heading, made as code hosts make it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/<[^>]*>|&\w+;/g, "")
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")

/** Returns a block that scrolls and takes the focus. */
const block = (source: string): Html => html`<pre tabindex="0"><code>${source}</code></pre>\n`

/** Returns one call in several languages, of which a reader chooses one without a script. */
export const tabs = (name: string, samples: ReadonlyArray<Omit<CodeSample, "lang">>): Html =>
  html`<fieldset class="tabs"><legend class="hidden">Language</legend>${samples.map(
    ({ label }, index) =>
      html`<input type="radio" name="${name}" id="${name}-${index}"${index === 0 && html` checked`}><label for="${name}-${index}">${label}</label>`
  )}${samples.map(({ source }) => html`<div class="panel">${block(source)}</div>`)}</fieldset>\n`

const linkTo = (href: string, content: string, { isTranslated = false, names }: GuideContext): string => {
  const here = href.replace(/^http:\/\/127\.0\.0\.1:8080(?=\/)/, "")
  if (here.startsWith("#") || here.startsWith("/")) return html`<a href="${here}">${trustedMarkup(content)}</a>`.markup
  // From a guide in `docs`, or from one that stands in its package.
  const [, name = "", anchor = ""] = /^[./]*(?:docs\/|packages\/)?([\w-]+)(?:\/README)?\.md(#.*)?$/.exec(here) ?? []
  // A translation leads to its neighbours by their names alone.
  const translation = `pt/${name}`
  if (isTranslated && !here.startsWith(".") && names.has(translation))
    return html`<a href="/docs/${translation}${anchor}">${trustedMarkup(content)}</a>`.markup
  if (names.has(name)) return html`<a href="/docs/${name}${anchor}">${trustedMarkup(content)}</a>`.markup
  if (/^https?:\/\//.test(here)) return html`<a href="${here}" rel="noreferrer">${trustedMarkup(content)}</a>`.markup
  // A file of the repository, which this server does not hand out.
  return content
}

const picture = (href: string, alt: string, { drawings, sizeOf }: GuideContext): Html => {
  const name = href.replace(/^(?:\.\.\/)?images\//, "")
  const drawing = drawings.get(name)
  const size = sizeOf(name)
  // Its size keeps the place of a picture that has not come yet: what stands below it does not jump.
  return drawing === undefined
    ? html`<img src="/docs/images/${name}" alt="${alt}"${size && html` width="${size.width}" height="${size.height}"`} loading="lazy">`
    : html`<span class="drawing" role="group" tabindex="0" aria-label="${alt}">${trustedMarkup(drawing)}</span>`
}
