export { type Html, html, type Piece, trustedMarkup } from "../../html/Html.ts"
