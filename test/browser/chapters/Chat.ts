/// <reference lib="dom" />
import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** A first message, written as the customer, with and without scripts. */
export const chat = async ({ browser, dev, environment, main, page, steps, until, views }: Scene): Promise<void> => {
  const address = `/dashboard/chat?environment=${environment}`
  /** The conversation by its customer, which opens on the customer's side. */
  const talk = `${address}&customer=%2B5511912345678`

  await steps.step("leads a newcomer from the overview to a first message, without a script", async () => {
    await page.goto("/dashboard")
    await page.getByRole("link", { name: "Open the chat" }).click()
    await views.look("chat-empty", address)
    await page.getByLabel("Write as the customer").fill("Bom dia! <b>Tudo</b> bem?")
    await press(page.getByRole("button", { name: "Send as the customer" }))
    await page.locator(".drawer > summary").click()
    assert.match(await main(), /Bom dia! <b>Tudo<\/b> bem\?[\s\S]*message\.received/)
    await page.getByRole("radio", { name: "As the business" }).check()
    await page.getByLabel("Text of the business").fill("Tudo, e você?")
    await press(page.getByRole("button", { name: "Send as the business" }))
    await until(/Tudo, e você\?[\s\S]*read/)
    await page.getByRole("radio", { name: "As the customer" }).check()
    await page.getByText("File, tap, reaction").click()
    await page.getByLabel("Emoji").fill("🎉")
    await press(page.getByRole("button", { name: "React" }))
    await until(/🎉/)
    await views.look("chat", address)
  })

  await steps.step("follows live with a script, and leaves alone what the reader types", async () => {
    const context = await browser.newContext({ baseURL: dev.base_url })
    await context.addCookies(await page.context().cookies())
    const live = await context.newPage()
    const complaints: Array<string> = []
    live.on("console", (message) => complaints.push(message.text()))
    live.on("pageerror", (error) => complaints.push(String(error)))
    await live.goto(talk)
    await live.getByText("Live: this page follows").waitFor()
    await live.getByLabel("Write as the customer").fill("half a sen")
    // The other page writes, this one hears of it.
    await page.goto(talk)
    await page.getByLabel("Write as the customer").fill("Ainda aí?")
    await press(page.getByRole("button", { name: "Send as the customer" }))
    await live.locator("#talk").getByText("Ainda aí?").waitFor()
    assert.equal(await live.getByLabel("Write as the customer").inputValue(), "half a sen")
    await live.getByLabel("Write as the customer").fill("Uma frase inteira")
    await live.getByRole("button", { name: "Send as the customer" }).click()
    await live.locator("#talk").getByText("Uma frase inteira").waitFor()
    // The stream may tell of the message before the form has its answer, which empties the field.
    await live.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('[name="body"]')?.value === "")
    await live.getByRole("radio", { name: "As the business" }).check()
    await live.getByLabel("Text of the business").fill("Recebido ao vivo")
    await live.getByRole("button", { name: "Send as the business" }).click()
    await live.locator("#talk li", { hasText: "Recebido ao vivo" }).getByText("read").waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  await steps.step(
    "leads from a conversation that waits to its answer, and sends a template by its values",
    async () => {
      await page.goto(talk)
      await page.getByLabel("Write as the customer").fill("Estou esperando")
      await press(page.getByRole("button", { name: "Send as the customer" }))
      await page.goto(address)
      await page
        .getByRole("link", { name: /waits for an answer/ })
        .first()
        .click()
      await page.getByLabel("Text of the business").waitFor()
      await page.getByLabel("Text of the business").fill("Já vai, um instante")
      await page.getByRole("button", { name: "Template" }).click()
      await page.getByRole("button", { name: /^welcome/ }).click()
      const kept = await page.getByLabel("Text of the business").inputValue()
      assert.equal(kept, "Já vai, um instante", "the picker keeps what was written")
      await page.getByLabel("Value of {{1}}").fill("Maria")
      await press(page.getByRole("button", { name: "Send the template" }))
      await until(/Maria[\s\S]*read/)
    }
  )

  await steps.step("finds the conversation of a phone number from any page", async () => {
    await page.goto("/dashboard/billing")
    await page.getByLabel("Find anything").fill("+55 11 91234-5678")
    await press(page.getByRole("button", { name: "Find" }))
    assert.match(await main(), /Messages to this customer/, "the one contact who has the phone opens by itself")
    const found = `/dashboard/search?q=${encodeURIComponent("+5511912345678")}`
    await views.look("search", found)
    await views.look("search-nothing", "/dashboard/search?q=msg_nothing")
    await page.goto(found)
    assert.match(await main(), /Last message with this phone/)
    await page.getByRole("link", { name: "+55 11 91234-5678" }).last().click()
    assert.match(await main(), /Recebido ao vivo/)
  })
}
