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
  /** Whether Lighthouse rates the main pages. */
  readonly rates: boolean
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
  const main = () => page.locator("main").innerText()
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

/** Presses a button and waits for the page that it leads to: who goes on before would break off what it sends. */
export const press = async (button: Locator): Promise<void> => {
  await Promise.all([button.page().waitForEvent("load"), button.click()])
}
