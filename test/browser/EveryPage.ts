/// <reference lib="dom" />
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type axe from "axe-core"
import type { Browser, BrowserContext, Page, Route } from "playwright-core"
import { linksIn, patternOf } from "../support/ConsolePages.ts"

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Bytes that a page may bring with an empty cache, pictures and the font left out. */
const mostBytes = 60_000
/** Rules of axe whose findings depend on colours; the others find the same in light and dark. */
const rulesOfColour = ["color-contrast", "link-in-text-block"]
const widths = [1440, 375] as const

/** Things of one kind whose links are followed: one may be over, and lead nowhere, where another is not. */
const followed = 5

/** Returns one address of every kind of page that links lead to from these; of guides, the address of each. */
export const crawl = async (
  context: BrowserContext,
  from: ReadonlyArray<string>
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const asked = new Map<string, number>()
  const queue = [...new Set(from)]
  for (const address of queue) {
    const pattern = patternOf(address)
    // The explorer is a library's page, with scripts of its own.
    if (pattern === "/docs/explorer") continue
    const count = asked.get(pattern) ?? 0
    if (count >= followed || !/^\/(dashboard|docs|sandbox\/pay|pay)(\/|$)/.test(pattern)) continue
    asked.set(pattern, count + 1)
    const answer = await context.request.get(address, { maxRedirects: 0 })
    if (answer.status() !== 200 || !(answer.headers()["content-type"] ?? "").startsWith("text/html")) continue
    if (!found.has(pattern)) found.set(pattern, address)
    queue.push(...linksIn(await answer.text()).filter((link) => !queue.includes(link)))
  }
  return found
}

/** Looks at every one of these pages in one language, in light and dark, wide and narrow; returns what is wrong, in words. */
export const lookAtEvery = async (
  browser: Browser,
  cookies: Awaited<ReturnType<BrowserContext["cookies"]>>,
  options: { readonly baseURL: string; readonly language: "en" | "pt"; readonly addresses: ReadonlyArray<string> }
): Promise<ReadonlyArray<string>> => {
  const { addresses, baseURL, language } = options
  const context = await browser.newContext({
    baseURL,
    locale: language === "pt" ? "pt-BR" : "en-US",
    // A colour that is still on its way is no colour of the page.
    reducedMotion: "reduce"
  })
  await context.addCookies(cookies.filter(({ name }) => name !== "carteiro_language"))
  const page = await context.newPage()
  const wrong: Array<string> = []
  let address = ""
  const complain = (text: string) => wrong.push(`${address} (${language}): ${text}`)
  page.on("console", (message) => {
    // A page whose script asks with a token that is used up tells of it.
    if (/status of 4\d\d/.test(message.text())) return
    if (message.type() === "error" || message.type() === "warning") complain(message.text())
  })
  page.on("pageerror", (error) => complain(String(error)))
  const transferred = await countTransfer(page)
  for (address of addresses) {
    await page.emulateMedia({ colorScheme: "light" })
    transferred.reset()
    const answer = await page.goto(address)
    for (const fault of unbalanced((await answer?.text()) ?? "")) complain(fault)
    const bytes = transferred.bytes()
    if (bytes > mostBytes) complain(`${bytes} bytes`)
    await page.route("**", stay)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        const place = `${width} wide, ${scheme}`
        for (const finding of await audit(page, scheme === "light" ? undefined : rulesOfColour)) {
          complain(`${place}: ${finding}`)
        }
      }
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (over > 0) complain(`${width} wide: content is ${over} pixels too wide`)
    }
    await page.unroute("**", stay)
  }
  await context.close()
  return wrong
}

/** Elements that hold others, whose end a browser guesses where it is missing. */
const holders =
  /<(\/?)(div|section|details|summary|form|fieldset|table|ul|ol|nav|article|header|footer|main|aside|dl|span|a|button|label|select|figure)(?=[\s>])[^>]*>/g

/** Returns the ends of elements that stand at the wrong place: one that is missing moves what follows into its element. */
const unbalanced = (text: string): ReadonlyArray<string> => {
  const open: Array<string> = []
  for (const [tag, end, name = ""] of text.replace(/<(script|style|textarea)\b[\s\S]*?<\/\1>/g, "").matchAll(holders)) {
    if (end === "") open.push(name)
    else if (open.pop() !== name) return [`${tag} ends an element that is not open`]
  }
  return open.map((name) => `<${name}> is never closed`)
}

/** Keeps a page that loads itself again where it is. */
const stay = (route: Route): Promise<void> =>
  route.request().isNavigationRequest() ? route.abort("aborted") : route.continue()

/** Counts what a page brings over the network, without pictures and fonts, and without a cache. */
const countTransfer = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("Network.enable")
  await session.send("Network.setCacheDisabled", { cacheDisabled: true })
  const leftOut = new Set<string>()
  let bytes = 0
  session.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Image" || type === "Font") leftOut.add(requestId)
  })
  session.on("Network.loadingFinished", ({ encodedDataLength, requestId }) => {
    if (!leftOut.has(requestId)) bytes += encodedDataLength
  })
  return {
    bytes: () => bytes,
    reset: () => {
      bytes = 0
    }
  }
}

/** Runs axe with all of its rules, or with these, over the page with everything that folds opened. */
const audit = async (page: Page, rules: ReadonlyArray<string> | undefined): Promise<ReadonlyArray<string>> => {
  const isThere = await page.evaluate(() => "axe" in globalThis)
  if (!isThere) await page.evaluate(axeSource)
  return page.evaluate(
    async (only) => {
      for (const details of document.querySelectorAll("details")) details.open = true
      const { axe: its } = globalThis as unknown as { readonly axe: typeof axe }
      const { violations } = await its.run(document, {
        resultTypes: ["violations"],
        ...(only && { runOnly: { type: "rule", values: [...only] } })
      })
      return violations.flatMap(({ help, id, nodes }) =>
        nodes.slice(0, 3).map(({ html, target }) => `${id}: ${help}: ${target.join(" ")} ${html.slice(0, 120)}`)
      )
    },
    rules as Array<string> | undefined
  )
}
