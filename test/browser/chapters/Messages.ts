import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** What customers wrote and what was sent, searched and looked at. */
export const messages = async ({
  call,
  dev,
  environment,
  key,
  main,
  page,
  steps,
  until,
  views
}: Scene): Promise<void> => {
  const number = (dev.sandbox as { readonly phone_number_id?: string }).phone_number_id
  const sender = { type: "chatapp_phone_number", id: number }
  const write = async (from: string, body: string) => {
    const inbound = { channel: "chatapp", from, to: number, type: "text", text: { body } }
    assert.equal((await call("POST", "/v1/sandbox/inbound-messages", { key, body: inbound })).status, 202)
    const answer = { channel: "chatapp", sender, recipient: { type: "phone_e164", id: from } }
    const message = { type: "text", text: { body: `Recebemos: ${body}` } }
    const sent = await call("POST", "/v1/messages", { key, body: { ...answer, message, metadata: { order: "42" } } })
    assert.equal(sent.status, 202)
  }

  await steps.step("finds messages by recipient, status and type, and shows one with events (M-READ)", async () => {
    await write("+5511988887777", "Bom dia! Meu pedido <b>chegou</b>?")
    await write("+5511966665555", `${"muito".repeat(60)} longo`)
    await page.goto(`/dashboard/messages?environment=${environment}&status=read`)
    await until(/\+55 11 98888-7777[\s\S]*read/)
    await views.look("messages", `/dashboard/messages?environment=${environment}`)
    await page.getByLabel("Recipient").fill("+55 11 98888-7777")
    await page.getByRole("search", { name: "Filters" }).getByLabel("Type").selectOption("text")
    await press(page.getByRole("button", { name: "Show" }))
    assert.doesNotMatch(await main(), /longo/)
    await page.getByRole("link", { name: "+55 11 98888-7777" }).click()
    assert.match(await main(), /Recebemos: Bom dia! Meu pedido <b>chegou<\/b>\?/)
    assert.match(await main(), /message\.delivered[\s\S]*message\.read/)
    await views.look("message", new URL(page.url()).pathname)
    await page.goto(`/dashboard/messages?environment=${environment}&recipient=Maria`)
    assert.equal(await page.locator(":focus").getAttribute("id"), "recipient")
    await views.look("messages-refused", `/dashboard/messages?environment=${environment}&recipient=Maria`)
  })

  await steps.step("shows the messages of a number over time, as a chart and as a table", async () => {
    const its = `/dashboard/phone-numbers/${environment}/${number}`
    await page.goto(its)
    await until(/Messages over time\s+[1-9]\d* sent/)
    await page.locator("#traffic-now summary").click()
    assert.match(await page.locator("#traffic-now table").innerText(), /Sent[\s\S]*Received[\s\S]*[1-9]/)
    await views.look("number-traffic", its)
  })
}
