import { strict as assert } from "node:assert"
import { findChromium } from "../Chromium.ts"
import { crawl } from "../EveryPage.ts"
import { installLighthouse, rate } from "../Lighthouse.ts"
import type { Scene } from "../Scene.ts"

/** The pages that people look at most. */
const mainPages = [
  "/dashboard",
  "/dashboard/chat",
  "/dashboard/messages",
  "/dashboard/messages/:id/:id",
  "/dashboard/webhooks/:id/endpoints/:id",
  "/dashboard/webhooks/:id/deliveries/:id",
  "/dashboard/batches/:id/:id",
  "/dashboard/templates/:id/:id/edit",
  "/dashboard/billing",
  "/docs/quickstart"
]

// Ten pages, each rated thrice at most, on a machine that does other work.
const limitMs = 1_800_000

/** Rates the main pages, or those whose addresses end in one of the words, as a slow phone shows them. */
export const rating = async ({ dev, page, steps, views }: Scene, words: ReadonlyArray<string>): Promise<void> => {
  const rated = mainPages.filter((pattern) => words.length === 0 || words.some((word) => pattern.endsWith(word)))
  await steps.step(
    "Lighthouse gives main pages 100 for accessibility and best practices and at least 95 for performance",
    async () => {
      assert.ok(rated.length > 0, `no main page ends in ${words}`)
      await installLighthouse()
      const own = page.context()
      const all = await crawl(own, ["/dashboard", "/docs", ...views.looked()])
      const cookies = await own.cookies()
      const wrong: Array<string> = []
      for (const pattern of rated) {
        const address = all.get(pattern)
        assert.ok(address !== undefined, `no link leads to ${pattern}`)
        const { scores, wrong: poor } = await rate(`${dev.base_url}${address}`, {
          chromium: findChromium() ?? "",
          cookies
        })
        process.stdout.write(`        ${pattern}: ${scores}\n`)
        wrong.push(...poor.map((text) => `${pattern}: ${text}`))
      }
      assert.deepEqual(wrong, [])
    },
    limitMs
  )
}
