// Vendors for drills: the simulators of cards, of Pix and of numbers that nodes call, calls signed as each vendor signs them, the
// public address that they reach the product at, and an account at a bank that demands a client certificate.
import { execFileSync } from "node:child_process"
import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign, X509Certificate } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { join } from "node:path"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { startPixApi } from "@carteiro/simulators/pix-api/Simulator.ts"
import { startStripe } from "@carteiro/simulators/stripe/Simulator.ts"
import { startTelnyx } from "@carteiro/simulators/telnyx/Simulator.ts"
import { call } from "./callers.mjs"
import { pause, until } from "./drill.mjs"
import { listening } from "./product.mjs"

/** Starts the vendors of the service's own accounts; `env` are settings of every node. */
export const startOwnVendors = async ({ atEnd }) => {
  const apiKey = "drill-cardproc-key"
  const cards = await startStripe({ apiKey, webhookSecret: "unused", now: Date.now })
  atEnd(() => cards.close())
  const pix = await startMercadopago({ now: Date.now, accounts: [] })
  atEnd(() => pix.close())
  const numbersKey = "drill-numprov-key"
  const numbers = await startTelnyx({ apiKey: numbersKey, webhookSecret: "unused", workMs: 200, now: Date.now })
  atEnd(() => numbers.close())
  return {
    CARTEIRO_CARDPROC_DRIVER: "stripe",
    CARTEIRO_CARDPROC_API_BASE_URL: cards.url,
    CARTEIRO_CARDPROC_API_KEY: apiKey,
    CARTEIRO_PIXPROV2_DRIVER: "mercadopago",
    CARTEIRO_PIXPROV2_API_BASE_URL: pix.url,
    CARTEIRO_PIXPROV2_PLATFORM_API_KEY: "drill-pixprov2-key",
    CARTEIRO_NUMPROV_DRIVER: "telnyx",
    CARTEIRO_NUMPROV_API_BASE_URL: numbers.url,
    CARTEIRO_NUMPROV_API_KEY: numbersKey
  }
}

/**
 * Makes what vendors sign with: `text`, which most of them share with us, and the key pair of the number provider, whose
 * `publicKey` we hold as its portal shows it: 32 bytes in base64.
 */
export const newVendorSecret = () => {
  const pair = generateKeyPairSync("ed25519")
  const publicKey = Buffer.from(pair.publicKey.export({ format: "jwk" }).x, "base64url").toString("base64")
  return { text: randomBytes(20).toString("hex"), publicKey, privateKey: pair.privateKey }
}

/** Returns one call of each vendor, signed with a secret of `newVendorSecret` by the vendor's own scheme. */
export const signedCalls = ({ privateKey, text: secret }) => {
  const id = randomBytes(8).toString("hex")
  const now = Date.now()
  const t = Math.floor(now / 1000)
  const hmac = (text) => createHmac("sha256", secret).update(text).digest("hex")
  const event = JSON.stringify({
    id: `evt_${id}`,
    object: "event",
    type: "payment_intent.succeeded",
    created: t,
    data: { object: { id: `pi_${id}`, object: "payment_intent", metadata: { external_id: `ctu_${id}` } } }
  })
  const numbers = JSON.stringify({
    data: {
      record_type: "event",
      event_type: "message.received",
      id: randomUUID(),
      occurred_at: new Date(now).toISOString(),
      payload: { record_type: "message", direction: "inbound", text: "drill", to: [{ phone_number: "+5511970000000" }] }
    }
  })
  const report = JSON.stringify({ object: "drill", entry: [] })
  return [
    { path: "/webhooks/upstream", headers: { "x-hub-signature-256": `sha256=${hmac(report)}` }, body: report },
    { path: "/webhooks/cardproc", headers: { "stripe-signature": `t=${t},v1=${hmac(`${t}.${event}`)}` }, body: event },
    {
      path: "/webhooks/pixprov2/platform?data.id=77&type=payment",
      headers: { "x-request-id": id, "x-signature": `ts=${now},v1=${hmac(`id:77;request-id:${id};ts:${now};`)}` },
      body: JSON.stringify({ type: "payment", action: "payment.updated", data: { id: "77" } })
    },
    {
      path: "/webhooks/numprov/platform",
      headers: {
        "telnyx-signature-ed25519": sign(null, Buffer.from(`${t}|${numbers}`), privateKey).toString("base64"),
        "telnyx-timestamp": String(t)
      },
      body: numbers
    }
  ]
}

/** Starts the public address of an installation: it hands each call on to the node that `target` returns, once that is set. */
export const startPublicAddress = async ({ atEnd }) => {
  const address = { url: "", target: undefined }
  const server = createServer((incoming, outgoing) => {
    const onward = request(
      `${address.target()}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers)
        answer.pipe(outgoing)
      }
    )
    onward.on("error", () => outgoing.headersSent || outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  address.url = await listening(server, atEnd)
  return address
}

/** The OAuth client of the drill's account at the bank. */
const bankClient = { client_id: "drill", client_secret: "drill-secret" }

/** Starts a bank with the standard API, whose certificates stand where nodes of this machine look for them. */
export const startBank = async ({ atEnd }, dataDir) => {
  const certificateFolder = join(dataDir, "pix-api")
  const simulator = await startPixApi({ now: Date.now, workMs: 200, accounts: [bankClient], certificateFolder })
  atEnd(() => simulator.close())
  const inBank = (name) => join(certificateFolder, name)
  const { clientPkcs12, password } = simulator.certificates
  return {
    simulator,
    env: { CARTEIRO_PIX_API_SIMULATOR_URL: simulator.url, NODE_EXTRA_CA_CERTS: inBank("authority.pem") },
    first: { pkcs12: clientPkcs12, password, fingerprint: fingerprintOf(inBank("client.pem")) },
    /** Issues another client certificate, as the bank's pages do: OpenSSL writes the PKCS#12 file. */
    issue: (name) => {
      const openssl = (...words) => execFileSync("openssl", words, { stdio: ["ignore", "pipe", "pipe"] })
      const [key, csr, cert, p12, ext] = ["key", "csr", "pem", "p12", "ext"].map((end) => inBank(`${name}.${end}`))
      const password = randomBytes(12).toString("hex")
      writeFileSync(ext, "extendedKeyUsage=clientAuth\nkeyUsage=digitalSignature\n")
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
      openssl("req", ...curve, "-keyout", key, "-out", csr, "-subj", `/CN=${name}`)
      const authority = ["-CA", inBank("authority.pem"), "-CAkey", inBank("authority.key"), "-CAcreateserial"]
      openssl("x509", "-req", "-in", csr, ...authority, "-days", "30", "-extfile", ext, "-out", cert)
      const whole = ["-inkey", key, "-in", cert, "-certfile", inBank("authority.pem")]
      openssl("pkcs12", "-export", ...whole, "-passout", `pass:${password}`, "-out", p12)
      return { pkcs12: readFileSync(p12), password, fingerprint: fingerprintOf(cert) }
    },
    /** The bank takes no call of that certificate from now on. */
    revoke: ({ fingerprint }) => simulator.accounts.revoked.add(fingerprint)
  }
}

const fingerprintOf = (path) => new X509Certificate(readFileSync(path)).fingerprint256

/** Signs in at the console by the link of `dev.json`; returns how to post a page's form to it, whose status must be below 400. */
const signIn = async (url, signInUrl) => {
  const cookies = new Map()
  const exchange = async (path, form) => {
    const answer = await fetch(`${url}${path}`, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      body: form === undefined ? undefined : new URLSearchParams(form)
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (name !== undefined) cookies.set(name, value)
    }
    const text = await answer.text()
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${text}`)
    return text
  }
  const submit = async (page, path, form) => {
    const csrf = /name="csrf" value="([^"]*)"/.exec(await exchange(page))?.[1] ?? ""
    await exchange(path, { csrf, ...form })
  }
  const { pathname, search, searchParams } = new URL(signInUrl)
  await submit(`${pathname}${search}`, "/dashboard/sign-in", { token: searchParams.get("token") })
  return submit
}

/**
 * Connects production's Pix payments to an account at a bank, and has callers ask for payments, which their payers pay at once,
 * until `stop`.
 */
export const startPixAccount = async (url, dev, bank) => {
  let [count, stopped] = [0, false]
  const [failures, ids, unpaid] = [[], [], new Set()]
  const ask = (method, path, body) => {
    const key = method === "POST" ? { "idempotency-key": `pix ${++count}` } : {}
    return call(url, dev.production.api_key, method, `/v1/${path}`, body, key)
  }
  const submit = await signIn(url, dev.dashboard.sign_in_url)
  /** Enters credentials with a certificate, as a person does; returns the id of the connection. */
  const enter = async ({ password, pkcs12 }) => {
    const { body: session } = await ask("POST", "provider-credential-setup-sessions", { target: "pixprov2.payments" })
    const page = `/dashboard/setup/${session.id}`
    await submit(page, page, {
      driver: "pix-api",
      base_url: `${bank.simulator.url}/api/v2`,
      ...bankClient,
      certificate_pkcs12_base64: pkcs12.toString("base64"),
      certificate_password: password,
      pix_key: "drill@example.com"
    })
    const { body } = await ask("GET", `provider-credential-setup-sessions/${session.id}`)
    if (typeof body.provider_connection_id !== "string") throw new Error(`no connection: ${JSON.stringify(body)}`)
    return body.provider_connection_id
  }
  await ask("POST", `provider-connections/${dev.simulators.pixprov2_connection_id}/disconnect`, {})
  const connection = await enter(bank.first)

  const pay = () => {
    // The bank knows a payment by our id without its underscore, once it was created there.
    for (const id of unpaid) if (bank.simulator.decide(id.replace("_", ""), "paid") !== undefined) unpaid.delete(id)
  }
  const load = (async () => {
    while (!stopped) {
      const { body, status, text } = await ask("POST", "payments", {
        amount_brl_centavos: 1000 + count,
        description: "drill"
      }).catch((error) => ({ text: String(error.cause ?? error) }))
      if (status === 201) {
        ids.push(body.id)
        unpaid.add(body.id)
      } else failures.push(`payment: ${status} ${text}`)
      pay()
      await pause(300)
    }
  })()
  return {
    connection,
    enter,
    failures,
    /** Waits until payments have gone on by so many. */
    goOn: async (more) => {
      const goal = ids.length + more
      await until(() => ids.length >= goal || failures.length > 0, `${more} more payments`, 120_000)
    },
    /** Ends the load and waits until every payment is paid; returns how many were asked for, and what is known of the others. */
    stop: async () => {
      stopped = true
      await load
      let left = ids
      const statuses = new Map()
      const isSettled = async () => {
        pay()
        const answers = await Promise.all(left.map((id) => ask("GET", `payments/${id}`).catch(() => undefined)))
        for (const [at, id] of left.entries()) statuses.set(id, answers[at]?.body.status)
        left = left.filter((id) => statuses.get(id) !== "paid")
        return left.length === 0
      }
      await until(isSettled, "the end of all payments", 180_000).catch(() => {})
      const told = left.map(
        (id) => `${id} is ${statuses.get(id)}${unpaid.has(id) ? ", and the bank never had it" : ""}`
      )
      return { count: ids.length, left: told }
    },
    /** Attempts of the bank to tell of a payment, and those that were not taken. */
    notices: () => {
      const attempts = bank.simulator.log.read(0, "webhook")
      return { count: attempts.length, refused: attempts.filter(({ status }) => status !== 200) }
    }
  }
}
