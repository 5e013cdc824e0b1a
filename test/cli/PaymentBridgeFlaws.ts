import {
  anotherId,
  broken,
  emptyList,
  type Flaws,
  members,
  noRefusal,
  on,
  others,
  refuses,
  says,
  secondFails
} from "./FlawedBridge.ts"

const pix = (path: "/v1/charges" | "/v1/checkouts"): Flaws => ({
  "another key is refused with credentials_invalid": [[on(`GET ${path}`, emptyList), noRefusal]],
  "a look-up by external_id of an id that was never used is an empty list": [
    [on(`GET ${path}`, others), "expected an empty list; the answer was "]
  ],
  "a charge that does not exist is answered 404": [
    [on(`GET ${path}/*`, broken), "expected 404; the answer was "],
    [on(`GET ${path}/*`, refuses(400, "not_found")), "expected 404; the answer was "]
  ],
  "a charge with a page is made once for an id, to the centavo, and is found by both ids": [
    [on(`POST ${path}`, refuses(400, "amount_invalid")), "expected a charge; the answer was "],
    [on(`POST ${path}`, anotherId), "expected the charge another_1 for the same id again; "],
    [
      on(
        `POST ${path}`,
        members(() => ({ payment_url: "javascript:alert(1)" }))
      ),
      "expected a payment_url "
    ],
    [
      on(
        `POST ${path}`,
        members(() => ({ expires_at: 1_764_400_000 }))
      ),
      "expected an expires_at "
    ],
    [
      on(
        `GET ${path}/*`,
        members(() => ({ amount_centavos: 100_100 }))
      ),
      "expected the pending charge "
    ],
    [on(`GET ${path}`, emptyList), "expected the pending charge "]
  ]
})

const authorizationPromise =
  "an authorization is made once for an id, pays nothing before a person gives it, and is revoked twice"

/** The flaws of the roles of payments. */
export const paymentFlaws = {
  cardproc: {
    "a search for a charge proves the key": [
      [on("GET /v1/payment_intents", broken), 'expected a success; the answer was "unknown"'],
      [on("GET /v1/payment_intents", refuses(403, "forbidden")), 'expected a success; the answer was "refused"']
    ],
    "another key is refused with 401 or 403 and credentials_invalid": [
      [on("GET /v1/payment_intents", emptyList), 'expected 401 or 403; the answer was "accepted"'],
      [on("GET /v1/payment_intents", refuses(403, "forbidden")), noRefusal]
    ],
    "GET /v1/payment_intents?external_id= of an id that was never used is an empty list": [
      [on("GET /v1/payment_intents", others), "expected an empty list; the answer was "]
    ],
    "a charge and a card that do not exist are answered 404": [
      [on("GET /v1/payment_intents/*", says(200, {})), "expected 404 for the charge; the answer was "],
      [on("GET /v1/payment_methods/*", says(200, {})), "expected 404 for the card; the answer was "]
    ],
    "a customer is made once for an id": [
      [on("POST /v1/customers", broken), "expected a customer; the answer was "],
      [on("POST /v1/customers", anotherId), "expected the customer another_1 for the same id again; "]
    ],
    "a card's collection has the secret of its page": [
      [
        on(
          "POST /v1/setup_intents",
          members(() => ({ client_secret: null }))
        ),
        "expected an id and a client_secret; the answer was "
      ],
      [on("POST /v1/customers", broken), "there was no customer to check this with"]
    ],
    "a card is shown, attached to a customer twice, and detached twice": [
      [on("POST /v1/payment_methods/pm_card_ok/attach", secondFails(409)), "expected the card with the customer cus_"],
      [
        on(
          "GET /v1/payment_methods/*",
          members(() => ({ exp_year: "34" }))
        ),
        "expected the card pm_card_ok with last4"
      ],
      [
        on("POST /v1/payment_methods/pm_card_ok/detach", secondFails(400)),
        "expected the card without a customer from the second detach; "
      ]
    ],
    "a charge is made once for an id, to the centavo, and is found by both ids": [
      [
        on(
          "POST /v1/payment_intents",
          members(() => ({ status: "failed", decline_code: "fraud" }))
        ),
        "expected a charge that succeeded or is processing; "
      ],
      [on("POST /v1/payment_intents", anotherId), "expected the charge another_"],
      [
        on(
          "GET /v1/payment_intents/*",
          members(() => ({ amount_centavos: 10 }))
        ),
        "expected the charge pi_"
      ],
      [on("GET /v1/payment_intents", emptyList), "expected the charge pi_"],
      [on("POST /v1/payment_methods/pm_card_ok/attach", broken), "expected the card pm_card_ok at its attach; "]
    ],
    "a card that its bank declines has failed with its decline_code": [
      [
        on(
          "POST /v1/payment_intents",
          members(() => ({ decline_code: null }))
        ),
        "expected a charge that failed, with its decline_code; "
      ],
      [
        on(
          "POST /v1/payment_intents",
          members(() => ({ status: "succeeded" }))
        ),
        "expected a charge that failed, with its decline_code; "
      ]
    ],
    "a charge that needs its cardholder waits with a client_secret, and fails off session": [
      [
        on(
          "POST /v1/payment_intents",
          members(() => ({ client_secret: null }))
        ),
        "expected requires_action with a client_secret; "
      ],
      [
        on(
          "POST /v1/payment_intents",
          members(() => ({ status: "requires_action", client_secret: "s" }))
        ),
        "expected a charge off session that failed, with its decline_code; "
      ]
    ],
    "a card that the customer does not have is not charged": [
      [
        on(
          "POST /v1/payment_intents",
          says(201, { id: "pi", external_id: "e", customer: "c", amount_centavos: 1001, status: "succeeded" })
        ),
        "expected a refusal; the answer was "
      ],
      [on("POST /v1/payment_methods/pm_card_ok/detach", broken), "expected the card without a customer; "]
    ]
  },
  pixprov1: {
    ...pix("/v1/charges"),
    "GET /v1/banks lists a bank that is available": [
      [
        on(
          "GET /v1/banks",
          members(() => ({ ispb: "1" }))
        ),
        "expected a bank with id, name, an ispb "
      ],
      [on("GET /v1/banks", broken), "expected a bank with id, name, an ispb "]
    ],
    "an authorization and a payment that do not exist are found by no id": [
      [on("GET /v1/authorizations", others), "expected 404 by id, and an empty list by external_id; "],
      [on("GET /v1/agentic-payments/*", broken), "expected 404 by id, and an empty list by external_id; "]
    ],
    [authorizationPromise]: [
      [on("GET /v1/banks", emptyList), "expected a bank that is available; "],
      [
        on(
          "POST /v1/authorizations",
          members(() => ({ authorization_url: null }))
        ),
        "expected a pending authorization with its authorization_url; "
      ],
      [on("POST /v1/authorizations", anotherId), "expected the authorization another_"],
      [on("GET /v1/authorizations", emptyList), "expected the authorization "],
      [
        on(
          "POST /v1/agentic-payments",
          says(201, { id: "p", external_id: "e", status: "paid", amount_centavos: 1001, error: null })
        ),
        "expected a refusal of a payment that nobody authorized; "
      ],
      [
        (request, kept, count) =>
          request.path.endsWith("/revoke") ? members(() => ({ status: "pending" }))(kept, count) : undefined,
        "expected revoked from the first revoke; "
      ]
    ]
  },
  pixprov2: {
    ...pix("/v1/checkouts"),
    "a charge with a code is made once for an id, to the centavo, and is found by both ids": [
      [on("POST /v1/checkouts", anotherId), "expected the charge another_1 for the same id again; "],
      [
        on(
          "POST /v1/checkouts",
          members(() => ({ pix_copy_paste: null }))
        ),
        "expected a pix_copy_paste "
      ]
    ],
    "a charge with a page is cancelled, and stays so": [
      [on("POST /v1/checkouts", broken), "expected a charge to cancel; "],
      [on("DELETE /v1/checkouts/*", refuses(400, "unsupported")), "expected pending or cancelled from the cancel; "],
      [
        on(
          "GET /v1/checkouts/*",
          members(() => ({ status: "paid" }))
        ),
        "expected a charge that is cancelled "
      ],
      [on("DELETE /v1/checkouts/*", secondFails(500)), "expected cancelled, or a refusal, from a second cancel; "]
    ],
    "an approval is requested once for an id": [
      [
        (request) => (request.path.endsWith("/approvals") ? broken() : undefined),
        "expected an approval with its id; the answer was "
      ],
      [
        (request, kept, count) => (request.path.endsWith("/approvals") ? anotherId(kept, count) : undefined),
        "expected the approval another_"
      ]
    ]
  }
} satisfies Readonly<Record<string, Flaws>>
