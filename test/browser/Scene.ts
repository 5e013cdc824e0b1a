import type { Browser, Page } from "playwright-core"
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
  /** Names of the pictures to take; empty for none. */
  readonly images: ReadonlyArray<string>
}

/** What every chapter of it has at hand. */
export interface Scene extends Stage, Pick<Product, "call" | "command"> {
  readonly dev: Dev
  readonly views: Views
  /** Where it happens, and what is read there. */
  readonly page: Page
  readonly heading: () => Promise<string | undefined>
  readonly main: () => Promise<string>
  /** The sandbox of the demo project. */
  readonly key: string
  readonly environment: string
}

/** Opens the browser on it. */
export const openScene = async (stage: Stage): Promise<Scene> => {
  const { browser, images, product } = stage
  const { call, command, dev } = product
  const views = await openViews(browser, { baseURL: dev.base_url, images })
  const { page } = views
  return {
    ...stage,
    call,
    command,
    dev,
    views,
    page,
    heading: async () => (await page.locator("h1").textContent())?.trim(),
    main: () => page.locator("main").innerText(),
    key: dev.sandbox.api_key,
    environment: dev.sandbox.environment_id
  }
}
