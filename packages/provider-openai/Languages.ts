/** ISO 639-1 codes (639-3 where there is none) by the English names that verbose transcriptions use. */
const codes: ReadonlyMap<string, string> = new Map(
  `afrikaans af,albanian sq,amharic am,arabic ar,armenian hy,assamese as,azerbaijani az,bashkir ba,basque eu,belarusian be,bengali bn,
bosnian bs,breton br,bulgarian bg,burmese my,cantonese yue,castilian es,catalan ca,chinese zh,croatian hr,czech cs,danish da,dutch nl,
english en,estonian et,faroese fo,finnish fi,flemish nl,french fr,galician gl,georgian ka,german de,greek el,gujarati gu,
haitian creole ht,haitian ht,hausa ha,hawaiian haw,hebrew he,hindi hi,hungarian hu,icelandic is,indonesian id,italian it,japanese ja,
javanese jw,kannada kn,kazakh kk,khmer km,korean ko,lao lo,latin la,latvian lv,letzeburgesch lb,lingala ln,lithuanian lt,
luxembourgish lb,macedonian mk,malagasy mg,malay ms,malayalam ml,maltese mt,mandarin zh,maori mi,marathi mr,moldavian ro,moldovan ro,
mongolian mn,myanmar my,nepali ne,norwegian no,nynorsk nn,occitan oc,panjabi pa,pashto ps,persian fa,polish pl,portuguese pt,punjabi pa,
pushto ps,romanian ro,russian ru,sanskrit sa,serbian sr,shona sn,sindhi sd,sinhala si,sinhalese si,slovak sk,slovenian sl,somali so,
spanish es,sundanese su,swahili sw,swedish sv,tagalog tl,tajik tg,tamil ta,tatar tt,telugu te,thai th,tibetan bo,turkish tr,turkmen tk,
ukrainian uk,urdu ur,uzbek uz,valencian ca,vietnamese vi,welsh cy,yiddish yi,yoruba yo`
    .split(/,\s*/)
    .map((entry) => {
      const space = entry.lastIndexOf(" ")
      return [entry.slice(0, space), entry.slice(space + 1)]
    })
)

/** Returns the language of a tag such as `pt-BR` as the vendor takes it: two letters, or undefined for it to detect the language. */
export const vendorLanguage = (tag: string | null): string | undefined => {
  const [base = ""] = (tag ?? "").toLowerCase().split(/[-_]/)
  return /^[a-z]{2}$/.test(base) ? base : undefined
}

/**
 * Returns the language that was heard: the requested tag when it is of that language, else its code; null when the vendor tells none, or
 * by a name that is not known.
 */
export const languageHeard = (heard: unknown, requested: string | null): string | null => {
  if (typeof heard !== "string") return null
  const name = heard.trim().toLowerCase()
  const code = codes.get(name) ?? (/^[a-z]{2,3}$/.test(name) ? name : undefined)
  if (code === undefined) return null
  return requested !== null && vendorLanguage(requested) === code ? requested : code
}
