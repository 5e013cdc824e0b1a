import type { CredentialProof } from "../../app/CredentialProofs.ts"
import { attention, type Judgement, well, wrong } from "./Finding.ts"

/** Tells whether a vendor accepts our key. */
export const credentialFinding = (credential: CredentialProof): Judgement => {
  const { proof, setting, vendor } = credential
  switch (proof) {
    case "accepted":
      return well(`${setting} is accepted by ${vendor}.`)
    case "refused":
      return refusedFinding(credential)
    case "unknown":
      return attention(
        `Whether ${setting} is accepted is unknown: ${vendor} gave no usable answer.`,
        "Look again; if it stays so, see that the address is right."
      )
  }
}

const refusedFinding = ({ code, setting, vendor }: CredentialProof): Judgement => {
  if (setting === "CARTEIRO_CARDPROC_API_KEY") {
    return wrong(
      `${setting} is refused by ${vendor}: nothing can be charged.`,
      `Copy the key anew from the pages of ${vendor}, and see that it may do what docs/vendors.md lists.`
    )
  }
  if (code === "unusable") {
    return wrong(
      `${setting} cannot be used: the service's own account takes no Pix.`,
      "Set what the page of the driver in docs/vendors.md names."
    )
  }
  if (code === "messaging_profile_missing") {
    return wrong(
      `The account of ${setting} has no messaging profile: no verification code reaches its numbers.`,
      "Make one in the vendor's portal with this installation's webhook address, and set CARTEIRO_NUMPROV_MESSAGING_PROFILE_ID."
    )
  }
  return wrong(
    `${setting} is refused by ${vendor} (${code ?? "no reason given"}).`,
    "Copy the key anew from the vendor's pages, and see that it may read its account."
  )
}
