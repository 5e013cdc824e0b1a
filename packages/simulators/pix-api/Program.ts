import { parseArgs } from "node:util"
import { type Program, vendorClock } from "../kit/Lifetime.ts"
import { recordOf } from "../kit/Routes.ts"
import type { ReceiverSetup } from "./Receivers.ts"
import { startPixApi } from "./Simulator.ts"

const usage = `[--port 0] [--control-port 0] [--work-ms 500] [--certificates FOLDER]
  --control-port   where its control routes and the payer's bank are, without TLS; it prints the address
  --accounts       JSON list of {client_id, client_secret, pix_keys, scopes}; no other client gets a token
  --certificates   keeps the authority and the client's certificate (client.p12, password "simulated") there
`

/** The simulated bank with the standard API of the central bank. */
export const pixApi: Program = {
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: {
        port: { type: "string", default: "0" },
        "control-port": { type: "string", default: "0" },
        accounts: { type: "string", default: "[]" },
        "work-ms": { type: "string", default: "500" },
        certificates: { type: "string" }
      }
    })
    const simulator = await startPixApi(
      {
        now: vendorClock,
        workMs: Number(values["work-ms"]),
        accounts: JSON.parse(values.accounts) as ReadonlyArray<ReceiverSetup>,
        ...(values.certificates === undefined ? undefined : { certificateFolder: values.certificates })
      },
      Number(values.port),
      Number(values["control-port"])
    )
    return {
      url: simulator.url,
      facts: { control_url: simulator.controlUrl },
      receive: (message) => {
        const { accounts } = recordOf(message)
        if (Array.isArray(accounts))
          for (const account of accounts as ReadonlyArray<ReceiverSetup>) simulator.accounts.setUp(account)
      },
      stop: () => simulator.close()
    }
  }
}
