import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

// `npm run codegen` copies what the design stands on out of the packages that package.json pins: scales of colour, icons and the
// font, with their licences. The server reads the copies, and needs none of the packages. With `--check` it only reports whether
// the committed files are current. Decision 0171

const require = createRequire(import.meta.url)
const folder = fileURLToPath(new URL("./", import.meta.url))
const packageFile = (name: string, path: string) => `${dirname(require.resolve(`${name}/package.json`))}/${path}`

/** The scales that the tokens name; each has twelve steps for light and twelve for dark. */
const scales = ["slate", "indigo", "grass", "red", "amber", "cyan"] as const

/** Names of the pages, and of the parts of a page, with the icon that Lucide has for each. */
const icons: Readonly<Record<string, string>> = {
  overview: "layout-dashboard",
  messages: "message-square",
  chat: "messages-square",
  templates: "file-text",
  flows: "workflow",
  batches: "layers",
  contacts: "contact-round",
  media: "image",
  numbers: "smartphone",
  orders: "package",
  connections: "plug",
  groups: "users",
  billing: "wallet",
  payments: "banknote",
  agentic: "bot",
  webhooks: "webhook",
  events: "activity",
  logs: "list",
  clock: "clock",
  keys: "key-round",
  device: "monitor-smartphone",
  projects: "folder",
  members: "user-cog",
  audit: "history",
  emails: "mail",
  feedback: "message-circle-question-mark",
  menu: "menu",
  filters: "list-filter",
  switch: "chevrons-up-down",
  organization: "building-2",
  paid: "circle-check",
  failed: "circle-x",
  expired: "timer-off",
  attach: "paperclip",
  send: "send-horizontal",
  react: "smile-plus",
  back: "arrow-left",
  drawer: "panel-right-open",
  file: "file",
  video: "video",
  audio: "mic",
  sticker: "sticker",
  location: "map-pin",
  call: "phone",
  link: "external-link",
  copy: "copy",
  reply: "reply",
  list: "list",
  upload: "upload",
  add: "plus",
  taps: "mouse-pointer-click",
  optOut: "ban"
}

const scaleOf = (path: string): string => {
  const text = readFileSync(packageFile("@radix-ui/colors", path), "utf8")
  // The first block has the colours that every screen shows; wider gamuts follow it.
  return [...text.slice(0, text.indexOf("}")).matchAll(/--[a-z]+-\d+: #[0-9a-f]+;/g)].map(([line]) => line).join("\n  ")
}

const palette = `/* Made by npm run codegen from Radix Colors. */
:root {
  ${scales.map((scale) => scaleOf(`${scale}.css`)).join("\n  ")}
}

@media (prefers-color-scheme: dark) {
  :root {
    ${scales.map((scale) => scaleOf(`${scale}-dark.css`).replaceAll("\n", "\n  ")).join("\n    ")}
  }
}
`

const symbolOf = ([name, file]: readonly [string, string]): string => {
  const text = readFileSync(packageFile("lucide-static", `icons/${file}.svg`), "utf8")
  const shapes = [...text.slice(text.indexOf(">", text.indexOf("<svg")) + 1).matchAll(/<(?!\/)[^>]+>/g)]
  return `<symbol id="${name}" viewBox="0 0 24 24">${shapes.map(([shape]) => shape.replace(" />", "/>")).join("")}</symbol>`
}

const sprite = `<svg xmlns="http://www.w3.org/2000/svg">
${Object.entries(icons).map(symbolOf).join("\n")}
</svg>
`

const names = `// Made by npm run codegen.

/** Names of the icons. */
export type IconName =
${Object.keys(icons)
  .map((name) => `  | "${name}"`)
  .join("\n")}
`

const licence = (name: string) => readFileSync(packageFile(name, "LICENSE"), "utf8").trim()
const licences = `Files of this folder that npm run codegen copies, and the licences of their authors.

palette.css: Radix Colors

${licence("@radix-ui/colors")}

icons.svg: Lucide

${licence("lucide-static")}

inter.woff2: Inter

${licence("@fontsource-variable/inter")}
`

const font = readFileSync(packageFile("@fontsource-variable/inter", "files/inter-latin-wght-normal.woff2"))

const files: Readonly<Record<string, Buffer>> = {
  "palette.css": Buffer.from(palette),
  "icons.svg": Buffer.from(sprite),
  "IconNames.ts": Buffer.from(names),
  "LICENCES.txt": Buffer.from(licences),
  "inter.woff2": font
}

const committed = (name: string): Buffer | undefined => {
  try {
    return readFileSync(`${folder}${name}`)
  } catch {
    return undefined
  }
}

mkdirSync(folder, { recursive: true })
const stale = Object.entries(files).filter(([name, text]) => committed(name)?.equals(text) !== true)
if (process.argv.includes("--check")) {
  for (const [name] of stale)
    process.stderr.write(`packages/console/kit/design/${name} is stale: run npm run codegen\n`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [name, text] of stale) writeFileSync(`${folder}${name}`, text)
}
