import { Carteiro } from "@carteiro/sdk"

// npm run register -- https://bot.example.com/hook: makes the webhook endpoint and prints its secret, which is shown this once.
const [url] = process.argv.slice(2)
if (url === undefined)
  throw new Error("name the public address of the bot: npm run register -- https://bot.example.com/hook")
const endpoint = await new Carteiro().webhooks.endpoints.create({ url, subscribed_events: ["message.received"] })
console.log(`endpoint ${endpoint.id}\nCARTEIRO_WEBHOOK_SECRET=${endpoint.signing_secret}`)
