import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

const billing = "/dashboard/billing"

/** Credit: cards, top-ups by card with authentication and by Pix, automatic top-up, the plan, statements. */
export const money = async ({ dev, main, page, steps, until, views }: Scene): Promise<void> => {
  const { pixprov2 = "" } = dev.simulators as { readonly pixprov2?: string }

  await steps.step("saves a card and makes it the default (C-CARD-08, C-CARD-10)", async () => {
    await page.goto(`${billing}/cards`)
    await press(page.getByRole("button", { name: "Enter a card" }))
    const processor = await page.getByRole("link", { name: "Go to the card processor" }).getAttribute("href")
    await page.goto(processor ?? "")
    await press(page.getByRole("button", { name: "pm_card_authentication" }))
    assert.match(await main(), /has collected/)
    await press(page.getByRole("button", { name: "Save the card" }))
    assert.match(await main(), /ending in 3155/)
    await views.look("cards", `${billing}/cards`)
  })

  await steps.step("tops up by a card whose bank asks for authentication (C-PKG-13)", async () => {
    await page.goto(`${billing}/top-up`)
    await page.getByLabel("Package").selectOption("pack_1k")
    const label = await page.locator("#card option", { hasText: "3155" }).first().textContent()
    await page.getByLabel("Card", { exact: true }).selectOption({ label: label ?? "" })
    await views.look("top-up", `${billing}/top-up`)
    await press(page.getByRole("button", { name: "Pay by card" }))
    await press(page.getByRole("button", { name: /^Pay R/ }))
    await until(/prove who they are/)
    const here = page.url()
    const bank = await page.getByRole("link", { name: "Authenticate at the bank" }).getAttribute("href")
    await page.goto(bank ?? "")
    await press(page.getByRole("button", { name: "Approve" }))
    await page.goto(here)
    await until(/Paid\. The balance has it\./)
  })

  await steps.step("tops up by Pix, with its code as a picture and as text (C-PKG-08)", async () => {
    await page.goto(`${billing}/top-up`)
    await page.getByLabel("Amount in BRL").fill("50,00")
    await press(page.getByRole("button", { name: "Show the Pix code" }))
    await until(/Pix code to copy/)
    assert.equal(await page.getByAltText("QR code of the Pix charge").count(), 1)
    const here = page.url()
    await views.look("pix", new URL(here).pathname)
    const code = await page.getByLabel("Pix code to copy").inputValue()
    // The page of the code loads itself anew while it waits, which would end a navigation from it.
    const bank = await page.context().newPage()
    await bank.goto(`${pixprov2}/bank`)
    await bank.getByLabel("Pix code").fill(code)
    await press(bank.getByRole("button", { name: "Continue" }))
    await press(bank.getByRole("button", { name: "Pay" }))
    await bank.close()
    await until(/Paid\. The balance has it\./)
  })

  await steps.step("sets automatic top-up (C-ATOP-05)", async () => {
    await page.goto(`${billing}/cards`)
    await page.getByLabel("Top up by itself").check()
    await page.getByLabel("When the balance falls to, in BRL").fill("100,00")
    await page.getByLabel("Add, in BRL").fill("50,00")
    await press(page.getByRole("button", { name: "Save", exact: true }))
    assert.match(await main(), /\bon\b/)
  })

  await steps.step("changes the plan after telling what it costs (C-PLAN-17..19)", async () => {
    await page.goto(`${billing}/plan`)
    await views.look("plan", `${billing}/plan`)
    await page.goto(`${billing}/plan/change?plan=plo_scale`)
    assert.match(await main(), /is charged to the default card now/)
    await press(page.getByRole("button", { name: /and change$/ }))
    await page.goto(`${billing}/plan`)
    await until(/Plan\s+Scale/)
  })

  await steps.step("shows the balance, its movements and the month (C-BAL-02)", async () => {
    await page.goto(billing)
    assert.match(await main(), /credit/)
    await views.look("billing", billing)
    await views.look("statement", `${billing}/statement`)
    await views.look("emails", "/dashboard/emails")
  })
}
