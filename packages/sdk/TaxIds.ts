import { readTaxId } from "@carteiro/spellings/TaxId.ts"
import { CarteiroSpellingError } from "./transport/Errors.ts"

/**
 * Returns a CPF or CNPJ as the API takes it: `taxId("529.982.247-25")` is `"52998224725"`. Throws `CarteiroSpellingError`
 * for another form and for wrong check digits. gaps-3 "Amendments of November 2026"
 */
export const taxId = (written: string): string => {
  const { refusal, taxId } = readTaxId(String(written))
  if (refusal === undefined) return taxId
  throw new CarteiroSpellingError(refusal.fault, refusal.message, refusal.likely)
}
