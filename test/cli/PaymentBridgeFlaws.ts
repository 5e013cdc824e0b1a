import * as flawed from "./FlawedBridge.ts"

const pix = (path: "/v1/charges" | "/v1/checkouts"): flawed.Flaws => ({
  "another key is refused with credentials_invalid": [[flawed.on(`GET ${path}`, flawed.emptyList), flawed.noRefusal]],
  "a look-up by external_id of an id that was never used is an empty list": [flawed.foundOthers(path)],
  "a charge that does not exist is answered 404": [
    [flawed.on(`GET ${path}/*`, flawed.broken), "expected 404; the answer was "],
    [flawed.on(`GET ${path}/*`, flawed.refuses(400, "not_found")), "expected 404; the answer was "]
  ],
  "a charge with a page is made once for an id, to the centavo, and is found by both ids": [
    [flawed.on(`POST ${path}`, flawed.refuses(400, "amount_invalid")), "expected a charge; the answer was "],
    [flawed.on(`POST ${path}`, flawed.anotherId), "expected the charge another_1 for the same id again; "],
    [
      flawed.on(
        `POST ${path}`,
        flawed.members(() => ({ payment_url: "javascript:alert(1)" }))
      ),
      "expected a payment_url "
    ],
    [
      flawed.on(
        `POST ${path}`,
        flawed.members(() => ({ expires_at: 1_764_400_000 }))
      ),
      "expected an expires_at "
    ],
    [
      flawed.on(
        `GET ${path}/*`,
        flawed.members(() => ({ amount_centavos: 100_100 }))
      ),
      "expected the pending charge "
    ],
    [flawed.on(`GET ${path}`, flawed.emptyList), "expected the pending charge "]
  ]
})

const authorizationPromise =
  "an authorization is made once for an id, pays nothing before a person gives it, and is revoked twice"

/** The flaws of the roles of payments. */
export const paymentFlaws = {
  cardproc: {
    "a search for a charge proves the key": [
      [flawed.on("GET /v1/payment_intents", flawed.broken), 'expected a success; the answer was "unknown"'],
      [
        flawed.on("GET /v1/payment_intents", flawed.refuses(403, "forbidden")),
        'expected a success; the answer was "refused"'
      ]
    ],
    "another key is refused with 401 or 403 and credentials_invalid": [
      [flawed.on("GET /v1/payment_intents", flawed.emptyList), 'expected 401 or 403; the answer was "accepted"'],
      [flawed.on("GET /v1/payment_intents", flawed.refuses(403, "forbidden")), flawed.noRefusal]
    ],
    "GET /v1/payment_intents?external_id= of an id that was never used is an empty list": [
      flawed.foundOthers("/v1/payment_intents")
    ],
    "a charge and a card that do not exist are answered 404": [
      [flawed.on("GET /v1/payment_intents/*", flawed.says(200, {})), "expected 404 for the charge; the answer was "],
      [flawed.on("GET /v1/payment_methods/*", flawed.says(200, {})), "expected 404 for the card; the answer was "]
    ],
    "a customer is made once for an id": [
      [flawed.on("POST /v1/customers", flawed.broken), "expected a customer; the answer was "],
      [flawed.on("POST /v1/customers", flawed.anotherId), "expected the customer another_1 for the same id again; "]
    ],
    "a card's collection has the secret of its page": [
      [
        flawed.on(
          "POST /v1/setup_intents",
          flawed.members(() => ({ client_secret: null }))
        ),
        "expected an id and a client_secret; the answer was "
      ],
      [flawed.on("POST /v1/customers", flawed.broken), "there was no customer to check this with"]
    ],
    "a card is shown, attached to a customer twice, and detached twice": [
      [
        flawed.on("POST /v1/payment_methods/pm_card_ok/attach", flawed.secondFails(409)),
        "expected the card with the customer cus_"
      ],
      [
        flawed.on(
          "GET /v1/payment_methods/*",
          flawed.members(() => ({ exp_year: "34" }))
        ),
        "expected the card pm_card_ok with last4"
      ],
      [
        flawed.on("POST /v1/payment_methods/pm_card_ok/detach", flawed.secondFails(400)),
        "expected the card without a customer from the second detach; "
      ]
    ],
    "a charge is made once for an id, to the centavo, and is found by both ids": [
      [
        flawed.on(
          "POST /v1/payment_intents",
          flawed.members(() => ({ status: "failed", decline_code: "fraud" }))
        ),
        "expected a charge that succeeded or is processing; "
      ],
      [flawed.on("POST /v1/payment_intents", flawed.anotherId), "expected the charge another_"],
      [
        flawed.on(
          "GET /v1/payment_intents/*",
          flawed.members(() => ({ amount_centavos: 10 }))
        ),
        "expected the charge pi_"
      ],
      [flawed.on("GET /v1/payment_intents", flawed.emptyList), "expected the charge pi_"],
      [
        flawed.on("POST /v1/payment_methods/pm_card_ok/attach", flawed.broken),
        "expected the card pm_card_ok at its attach; "
      ]
    ],
    "a card that its bank declines has failed with its decline_code": [
      [
        flawed.on(
          "POST /v1/payment_intents",
          flawed.members(() => ({ decline_code: null }))
        ),
        "expected a charge that failed, with its decline_code; "
      ],
      [
        flawed.on(
          "POST /v1/payment_intents",
          flawed.members(() => ({ status: "succeeded" }))
        ),
        "expected a charge that failed, with its decline_code; "
      ]
    ],
    "a charge that needs its cardholder waits with a client_secret, and fails off session": [
      [
        flawed.on(
          "POST /v1/payment_intents",
          flawed.members(() => ({ client_secret: null }))
        ),
        "expected requires_action with a client_secret; "
      ],
      [
        flawed.on(
          "POST /v1/payment_intents",
          flawed.members(() => ({ status: "requires_action", client_secret: "s" }))
        ),
        "expected a charge off session that failed, with its decline_code; "
      ]
    ],
    "a card that the customer does not have is not charged": [
      [
        flawed.on(
          "POST /v1/payment_intents",
          flawed.says(201, { id: "pi", external_id: "e", customer: "c", amount_centavos: 1001, status: "succeeded" })
        ),
        "expected a refusal; the answer was "
      ],
      [flawed.on("POST /v1/payment_methods/pm_card_ok/detach", flawed.broken), "expected the card without a customer; "]
    ]
  },
  pixprov1: {
    ...pix("/v1/charges"),
    "GET /v1/banks lists a bank that is available": [
      [
        flawed.on(
          "GET /v1/banks",
          flawed.members(() => ({ ispb: "1" }))
        ),
        "expected a bank with id, name, an ispb "
      ],
      [flawed.on("GET /v1/banks", flawed.broken), "expected a bank with id, name, an ispb "]
    ],
    "an authorization and a payment that do not exist are found by no id": [
      [flawed.on("GET /v1/authorizations", flawed.others), "expected 404 by id, and an empty list by external_id; "],
      [flawed.on("GET /v1/agentic-payments/*", flawed.broken), "expected 404 by id, and an empty list by external_id; "]
    ],
    [authorizationPromise]: [
      [flawed.on("GET /v1/banks", flawed.emptyList), "expected a bank that is available; "],
      [
        flawed.on(
          "POST /v1/authorizations",
          flawed.members(() => ({ authorization_url: null }))
        ),
        "expected a pending authorization with its authorization_url; "
      ],
      [flawed.on("POST /v1/authorizations", flawed.anotherId), "expected the authorization another_"],
      [flawed.on("GET /v1/authorizations", flawed.emptyList), "expected the authorization "],
      [
        flawed.on(
          "POST /v1/agentic-payments",
          flawed.says(201, { id: "p", external_id: "e", status: "paid", amount_centavos: 1001, error: null })
        ),
        "expected a refusal of a payment that nobody authorized; "
      ],
      [
        (request, kept, count) =>
          request.path.endsWith("/revoke") ? flawed.members(() => ({ status: "pending" }))(kept, count) : undefined,
        "expected revoked from the first revoke; "
      ]
    ]
  },
  pixprov2: {
    ...pix("/v1/checkouts"),
    "a charge with a code is made once for an id, to the centavo, and is found by both ids": [
      [flawed.on("POST /v1/checkouts", flawed.anotherId), "expected the charge another_1 for the same id again; "],
      [
        flawed.on(
          "POST /v1/checkouts",
          flawed.members(() => ({ pix_copy_paste: null }))
        ),
        "expected a pix_copy_paste "
      ]
    ],
    "a charge with a page is cancelled, and stays so": [
      [flawed.on("POST /v1/checkouts", flawed.broken), "expected a charge to cancel; "],
      [
        flawed.on("DELETE /v1/checkouts/*", flawed.refuses(400, "unsupported")),
        "expected pending or cancelled from the cancel; "
      ],
      [
        flawed.on(
          "GET /v1/checkouts/*",
          flawed.members(() => ({ status: "paid" }))
        ),
        "expected a charge that is cancelled "
      ],
      [
        flawed.on("DELETE /v1/checkouts/*", flawed.secondFails(500)),
        "expected cancelled, or a refusal, from a second cancel; "
      ]
    ],
    "an approval is requested once for an id": [
      [
        (request) => (request.path.endsWith("/approvals") ? flawed.broken() : undefined),
        "expected an approval with its id; the answer was "
      ],
      [
        (request, kept, count) => (request.path.endsWith("/approvals") ? flawed.anotherId(kept, count) : undefined),
        "expected the approval another_"
      ]
    ]
  }
} satisfies Readonly<Record<string, flawed.Flaws>>
