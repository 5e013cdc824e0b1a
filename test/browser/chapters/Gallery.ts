/// <reference lib="dom" />
import { strict as assert } from "node:assert"
import { lookAt } from "../Look.ts"
import type { Scene } from "../Scene.ts"

const widths = [1440, 375] as const
const schemes = ["light", "dark"] as const

/** Every part that pages are made of, without a script. */
export const gallery = async ({
  browser,
  dev,
  page,
  steps
}: Pick<Scene, "browser" | "dev" | "page" | "steps">): Promise<void> => {
  const cookies = await page.context().cookies()
  const open = async (width: number, colorScheme: "light" | "dark") => {
    const viewport = { width, height: 900 }
    const context = await browser.newContext({ baseURL: dev.base_url, colorScheme, javaScriptEnabled: false, viewport })
    await context.addCookies(cookies)
    const shown = await context.newPage()
    await shown.goto("/dashboard/kit")
    return { context, shown }
  }

  for (const width of widths) {
    for (const scheme of schemes) {
      await steps.step(
        `photographs the parts of pages, ${width} wide, ${scheme}: letters and icons come from this server`,
        async () => {
          const { context, shown } = await open(width, scheme)
          assert.ok((await shown.screenshot({ fullPage: true })).length > 50_000)
          const letters = await shown.evaluate(() =>
            [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family)
          )
          assert.ok(letters.includes("Inter"), letters.join())
          const icon = await shown.evaluate(() => {
            const box = document.querySelector<SVGUseElement>("main .icon use")?.getBBox()
            return (box?.width ?? 0) > 0
          })
          assert.ok(icon, "an icon is empty")
          assert.deepEqual(await lookAt(shown), [])
          await context.close()
        }
      )
    }
  }

  await steps.step(
    "arrow keys walk the values of a chart, and a pointer shows those below it, without a script",
    async () => {
      const { context, shown } = await open(1440, "light")
      const chart = shown.locator(".chart", { hasText: "Succeeded" }).first()
      const seen = () =>
        chart
          .locator(".value")
          .evaluateAll((all) => all.filter((one) => one.clientWidth > 5).map((one) => one.textContent))
      assert.deepEqual(await seen(), [])
      await chart.locator("input").first().focus()
      await shown.keyboard.press("Space")
      await shown.keyboard.press("ArrowRight")
      assert.deepEqual(await seen(), ["11 Nov Succeeded 132 Failed 11"])
      await chart.locator("label").nth(5).hover()
      assert.deepEqual(await seen(), ["15 Nov Succeeded 40 Failed 3"])
      await context.close()
    }
  )
}
