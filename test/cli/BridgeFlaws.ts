import type { StandAnswer } from "../support/VendorStand.ts"
import * as flawed from "./FlawedBridge.ts"
import { paymentFlaws } from "./PaymentBridgeFlaws.ts"

// Bridges that break each promise of the protocol, in one way or more, for the check that has to see it.

const audio = (type: string, text: string) => (): StandAnswer => ({
  headers: { "content-type": type },
  body: Buffer.from(text)
})

/** The flaws of each role by the promise that they break, with the beginning of the sentence that says so. */
export const flaws = {
  numprov: {
    "GET /v1/account names the account of a key": [
      [flawed.on("GET /v1/account", flawed.says(200, {})), "expected the account's `id` and `name`; the answer was "]
    ],
    "another key is refused with credentials_invalid": [
      [flawed.on("GET /v1/account", flawed.refuses(403, "forbidden")), flawed.noRefusal],
      [flawed.on("GET /v1/account", flawed.says(200, { id: "acc_1", name: "Loja" })), flawed.noRefusal]
    ],
    "GET /v1/available lists numbers of the area code that was asked for": [
      [
        flawed.on(
          "GET /v1/available",
          flawed.members(() => ({ number: "+5521999990001" }))
        ),
        "+5521999990001 is no number of 11"
      ],
      [flawed.on("GET /v1/available", flawed.broken), "expected a list of numbers; the answer was "]
    ],
    "GET /v1/numbers ends, and shows each number once": [
      [
        flawed.on(
          "GET /v1/numbers",
          flawed.says(200, {
            data: [{ number_id: "n", number: "+5511999990001", status: "active", sms: true }],
            next_cursor: "again"
          })
        ),
        "n is on two pages"
      ],
      [flawed.on("GET /v1/numbers", flawed.broken), "expected a page of numbers; the answer was "]
    ],
    "GET /v1/orders?external_id= of an id that was never used is an empty list": [flawed.foundOthers("/v1/orders")],
    "an order is made once for an id, is found by it, is delivered, and its number is given back twice": [
      [flawed.on("POST /v1/orders", flawed.refuses(409, "no_inventory")), "expected an order; the answer was "],
      [flawed.on("POST /v1/orders", flawed.anotherId), "expected the order another_1 for the same id again; "],
      [flawed.on("GET /v1/orders", flawed.emptyList), "expected the order "],
      [
        flawed.on(
          "GET /v1/orders/*",
          flawed.members(() => ({ status: "failed" }))
        ),
        "expected an order that is delivered; "
      ],
      [
        flawed.on(
          "GET /v1/orders/*",
          flawed.members(() => ({ status: "active", number_id: null }))
        ),
        "expected an active order with its number_id and a number of 11; "
      ],
      [flawed.on("DELETE /v1/numbers/*", flawed.secondFails(409)), "expected a success of the second release; "]
    ]
  },
  speechprov1: {
    "another key is refused with credentials_invalid": [
      [flawed.on("POST /v1/speech", audio("audio/ogg", "")), flawed.noRefusal]
    ],
    "the voice `unknown` is refused with voice_unknown": [
      [flawed.on("POST /v1/speech", flawed.refuses(400, "text_rejected")), "expected the refusal voice_unknown; "]
    ],
    "a text becomes audio/ogg with Opus, under its id again and again": [
      [flawed.on("POST /v1/speech", audio("audio/mpeg", "ID3")), "expected audio/ogg; the audio came as audio/mpeg"],
      [flawed.on("POST /v1/speech", audio("audio/ogg", "OggS vorbis")), "expected Ogg with Opus; "],
      [flawed.on("POST /v1/speech", flawed.secondFails(409)), "expected audio from the second call; "]
    ],
    "what was spoken is transcribed": [
      [flawed.on("POST /v1/speech", flawed.refuses(400, "text_rejected")), "expected audio to transcribe; "],
      [
        flawed.on(
          "GET /v1/transcriptions/*",
          flawed.members(() => ({ status: "failed", error: { code: "audio_invalid" } }))
        ),
        "expected a text within a minute; "
      ]
    ]
  },
  ...paymentFlaws
} satisfies Readonly<Record<string, flawed.Flaws>>
