import type { Browser, BrowserContext, Page } from "playwright-core"
import { lookAt } from "./Look.ts"

/** The ways every page is looked at. */
const views = {
  light: { colorScheme: "light", viewport: { width: 1180, height: 820 } },
  dark: { colorScheme: "dark", viewport: { width: 1180, height: 820 } },
  tablet: { colorScheme: "light", viewport: { width: 800, height: 1100 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
  small: { colorScheme: "dark", viewport: { width: 320, height: 568 } }
} as const
export type View = keyof typeof views

/** The same signed-in person in every view; scripts are off in all of them. */
export interface Views {
  /** Where the story happens. */
  readonly page: Page
  /** Opens an address in every view; throws with what is wrong with it. */
  look(name: string, address: string): Promise<void>
  /** The addresses that were looked at so far, the latest first. */
  looked(): ReadonlyArray<string>
  /** Everything browsers complained about so far. */
  complaints(): ReadonlyArray<string>
}

/**
 * A page without scripts that follows its environment loads itself anew every few seconds, and a load of its own
 * that begins at the same moment breaks off where one is led. Going there once more is what a reader would do.
 */
const ledOn = (page: Page): Page => {
  const goto = page.goto.bind(page)
  page.goto = async (...to) => {
    for (let tries = 1; ; tries++) {
      try {
        return await goto(...to)
      } catch (error) {
        if (tries === 3 || !(error instanceof Error && error.message.includes("net::ERR_ABORTED"))) throw error
      }
    }
  }
  return page
}

/** Opens the views. */
export const openViews = async (browser: Browser, baseURL: string): Promise<Views> => {
  const complained: Array<string> = []
  const addresses: Array<string> = []
  const open = async (view: View): Promise<BrowserContext> => {
    // Colours are measured where they end, not on their way: beside a busy machine a transition of 100 ms takes long.
    const still = { reducedMotion: "reduce", javaScriptEnabled: false } as const
    const context = await browser.newContext({ ...views[view], ...still, baseURL })
    context.on("console", (message) => complained.push(`${view}: ${message.text()}`))
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText
      // Whoever goes on before a page has come breaks it off, which nobody forbade.
      if (reason !== "net::ERR_ABORTED") complained.push(`${view}: ${request.url()} failed: ${reason}`)
    })
    return context
  }
  const main = await open("light")
  const page = ledOn(await main.newPage())
  return {
    page,
    complaints: () => complained,
    looked: () => addresses.toReversed(),
    look: async (name, address) => {
      addresses.push(address)
      for (const view of Object.keys(views) as ReadonlyArray<View>) {
        const context = await open(view)
        await context.addCookies(await main.cookies())
        const other = await context.newPage()
        await other.goto(address)
        const findings = await lookAt(other)
        await context.close()
        if (findings.length > 0) throw new Error(`${name}, ${view}: ${findings.join("; ")}`)
      }
    }
  }
}
