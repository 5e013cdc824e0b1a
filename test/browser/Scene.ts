import { strict as assert } from "node:assert"
import { setTimeout } from "node:timers/promises"
import type { Browser, Locator, Page } from "playwright-core"
import type { Dev, Product } from "./Product.ts"
import type { Steps } from "./Steps.ts"
import { openViews, type Views } from "./Views.ts"

/** What the story stands on. */
export interface Stage {
  readonly product: Product
  readonly browser: Browser
  /** A receiver: `/well` takes deliveries, everything else fails. */
  readonly hooks: string
  readonly steps: Steps
}

/** What every chapter of it has at hand. */
export interface Scene extends Stage, Pick<Product, "call" | "command"> {
  readonly dev: Dev
  readonly views: Views
  /** Where it happens, and what is read there. */
  readonly page: Page
  readonly heading: () => Promise<string | undefined>
  readonly main: () => Promise<string>
  /** Loads the page until it says so, for a minute at most: some of what it shows arrives behind an answer. */
  readonly until: (said: RegExp) => Promise<void>
  /** The sandbox of the demo project. */
  readonly key: string
  readonly environment: string
}

/** Opens the browser on it. */
export const openScene = async (stage: Stage): Promise<Scene> => {
  const { browser, product } = stage
  const { call, command, dev } = product
  const views = await openViews(browser, dev.base_url)
  const { page } = views
  // Money has a space that does not break.
  const main = async () => (await page.locator("main").innerText()).replaceAll("\u00a0", " ")
  return {
    ...stage,
    call,
    command,
    dev,
    views,
    page,
    heading: async () => (await page.locator("h1").textContent())?.trim(),
    main,
    until: async (said) => {
      const begun = Date.now()
      while (!said.test(await main())) {
        if (Date.now() - begun > 60_000) throw new Error(`${page.url()} never said ${said}, but: ${await main()}`)
        await page.reload()
      }
    },
    key: dev.sandbox.api_key,
    environment: dev.sandbox.environment_id
  }
}

/** What an operation of the API answers with. */
type Read = Readonly<Record<string, unknown>>

/** Reads a path of the API until it is so, for a minute unless given: some of what happens arrives behind an answer. */
export const untilIs = async (
  { call, key }: Pick<Scene, "call" | "key">,
  path: string,
  isSo: (read: Read) => boolean,
  mostMs = 60_000
): Promise<Read> => {
  for (const begun = Date.now(); ; await setTimeout(100)) {
    const { body } = await call("GET", path, { key })
    if (isSo(body)) return body
    assert.ok(Date.now() - begun < mostMs, `${path} stays ${JSON.stringify(body)}`)
  }
}

/** Presses a button and waits for the page that it leads to: who goes on before would break off what it sends. */
export const press = async (button: Locator): Promise<void> => {
  await Promise.all([button.page().waitForEvent("load"), button.click()])
}
