/// <reference lib="dom" />
import { strict as assert } from "node:assert"
import type { Page } from "playwright-core"
import type { Scene } from "../Scene.ts"

/** Plays that a tab is hidden or shown again: headless browsers never hide one. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value })
    document.dispatchEvent(new Event("visibilitychange"))
  }, hidden)

/** Lists and pages of one thing follow what happens, while somebody looks and only then. */
export const live = async ({ browser, call, dev, environment, key, page, steps }: Scene): Promise<void> => {
  const speak = async (body: string): Promise<string> => {
    const to = dev.sandbox.phone_number_id
    const spoken = { channel: "chatapp", from: "+5511933332222", to, type: "text", text: { body } }
    const { body: made, status } = await call("POST", "/v1/sandbox/inbound-messages", { key, body: spoken })
    assert.equal(status, 202)
    return String(made.id)
  }

  await steps.step("a list follows its environment: what arrives appears, and the focus stays", async () => {
    const context = await browser.newContext({ baseURL: dev.base_url })
    await context.addCookies(await page.context().cookies())
    const list = await context.newPage()
    const complaints: Array<string> = []
    list.on("console", (message) => complaints.push(message.text()))
    list.on("pageerror", (error) => complaints.push(String(error)))
    const first = await speak("the first of the list")
    await list.goto(`/dashboard/messages?environment=${environment}`)
    await list.getByText("Live: this page follows").waitFor()
    const link = list.locator(`#rows a[href$="${first}"]`)
    await link.focus()
    await speak("came while it was open")
    await list.locator("#rows").getByText("came while it was open").waitFor()
    assert.equal(await link.evaluate((element) => document.activeElement === element), true)
    assert.match(await list.locator("#rows time").first().innerText(), /ago|now/)

    await list.getByRole("button", { name: "Stand still" }).click()
    await list.getByText("Paused: this page stands still.").waitFor()
    const looks: Array<string> = []
    list.on("request", (request) => looks.push(request.url()))
    await speak("said while it stood still")
    await list.getByRole("button", { name: "Go on" }).click()
    await list.locator("#rows").getByText("said while it stood still").waitFor()
    assert.match(looks[0] ?? "", /\/dashboard\/stream\?/)

    looks.length = 0
    await hide(list, true)
    await speak("said to a hidden tab")
    assert.deepEqual(looks, [])
    await hide(list, false)
    await list.locator("#rows").getByText("said to a hidden tab").waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  await steps.step("the request log looks every few seconds, since a request is no event", async () => {
    const context = await browser.newContext({ baseURL: dev.base_url })
    await context.addCookies(await page.context().cookies())
    const log = await context.newPage()
    await log.goto(`/dashboard/request-logs?environment=${environment}&code=message_not_found`)
    await log.getByText("This page looks for news every 3 seconds.").waitFor()
    await call("GET", "/v1/messages/msg_01m87c2m7x42yr3k7017zb8dsn", { key })
    await log.locator("#rows").getByText("message_not_found").first().waitFor()
    await context.close()
  })
}
