import type { CredentialProof } from "../../app/CredentialProofs.ts"
import { attention, type Judgement, well, wrong } from "./Finding.ts"

/** Tells whether a vendor accepts our key. */
export const credentialFinding = ({ proof, setting, vendor }: CredentialProof): Judgement => {
  switch (proof) {
    case "accepted":
      return well(`${setting} is accepted by ${vendor}.`)
    case "refused":
      return wrong(
        `${setting} is refused by ${vendor}: nothing can be charged.`,
        `Copy the key anew from the pages of ${vendor}, and see that it may do what docs/vendors.md lists.`
      )
    case "unknown":
      return attention(
        `Whether ${setting} is accepted is unknown: ${vendor} gave no usable answer.`,
        "Look again; if it stays so, see that the address is right."
      )
  }
}
