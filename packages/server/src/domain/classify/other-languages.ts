import type { BounceCategory } from './bounce-category.ts'

/** Phrases for unknown or closed mailboxes in other languages than English, without accents. */
export const otherLanguages: ReadonlyArray<readonly [RegExp, BounceCategory]> = [
  // French
  disabled(/\b(?:compte|boite|adresse|utilisateur)\b[^.;]{0,40}\b(?:desactive|ferme|cloture|supprime)e?\b/),
  unknown(
    /\b(?:destinataires?|utilisateurs?|adresse|compte|boite)\b[^.;]{0,40}\b(?:invalides?|inconnue?s?|introuvables?|inexistante?s?|n'existe (?:pas|plus))\b/,
  ),
  // Spanish
  disabled(/\b(?:cuenta|buzon|usuario)\b[^.;]{0,40}\b(?:desactivad|deshabilitad|cerrad|eliminad)[oa]\b/),
  unknown(
    /\bno se (?:encontro|ha encontrado|pudo encontrar) (?:el|la|al|ninguna?) (?:usuario|cuenta|buzon|destinatario|direccion)\b/,
    /\bno existe (?:ese|este|esa|esta|el|la|tal|ningun)? ?(?:usuario|cuenta|buzon|destinatario|direccion)\b/,
    /\b(?:usuario|cuenta|buzon|destinatario|direccion)\b[^.;]{0,40}\b(?:desconocid[oa]|no existe|inexistente|no encontrad[oa]|invalid[oa]|no valid[oa])\b/,
  ),
  // Portuguese
  disabled(/\b(?:conta|caixa postal|usuario)\b[^.;]{0,40}\b(?:desativad|encerrad|inativ)[oa]\b/),
  unknown(
    /\b(?:usuario|conta|caixa postal|destinatario|endereco)\b[^.;]{0,40}\b(?:desconhecid[oa]|inexistente|nao existe|nao (?:foi )?encontrad[oa]|invalid[oa])\b/,
  ),
  // Italian
  disabled(/\b(?:casella|utente|account)\b[^.;]{0,40}\b(?:disabilitat|disattivat|chius)[oa]\b/),
  unknown(
    /\b(?:utente|casella|destinatario|indirizzo)\b[^.;]{0,40}\b(?:sconosciut[oa]|inesistente|non esiste|non (?:e stat[oa] )?trovat[oa]|non valid[oa])\b/,
  ),
  // German
  disabled(
    /\b(?:postfach|konto|benutzer|mailbox)\b[^.;]{0,40}\b(?:deaktiviert|gesperrt und geschlossen|geschlossen|geloscht|stillgelegt)\b/,
  ),
  unknown(
    /\b(?:empfanger(?:adresse)?|benutzer|postfach|adressat|mailbox|adresse)\b[^.;]{0,40}\b(?:unbekannt|existiert nicht|nicht gefunden|nicht vorhanden|ungultig)\b/,
    /\b(?:unbekannte[rsn]?|ungultige[rsn]?) (?:empfanger(?:adresse)?|benutzer|postfach|adresse)\b/,
  ),
  // Dutch
  unknown(
    /\b(?:gebruiker|ontvanger|postbus|mailbox|(?:e-?mail)?adres)\b[^.;]{0,40}\b(?:onbekend|bestaat niet|niet (?:worden )?gevonden)\b/,
    /\bonbekende (?:gebruiker|ontvanger)\b/,
  ),
  // Polish, Russian
  unknown(/\b(?:uzytkownik|adresat|odbiorca|konto|skrzynka)\b[^.;]{0,40}\b(?:nieznan\w*|nie istnieje)/),
  unknown(
    /(?:пользовател|получател|адресат|почтов\S* ящик)[^.;]{0,40}(?:не найден|не существует|неизвестен)|нет такого (?:пользователя|получателя|адреса)/,
  ),
  // Japanese, Chinese
  unknown(
    /(?:ユーザー?|宛先|受信者|アドレス|メールボックス)[^。;]{0,30}(?:見つかりません|存在しません|存在しない|不明)/,
    /(?:用户|收件人|邮箱|地址|帐号|账号)[^。;]{0,10}(?:不存在|未找到|无效|没有找到)|(?:不存在|无效)的?(?:用户|收件人|邮箱|地址)|(?:找不到|未找到|无法找到)[^。;]{0,12}(?:用户|收件人|邮箱|地址|帐号|账号)/,
  ),
]

function unknown(...patterns: readonly RegExp[]): readonly [RegExp, BounceCategory] {
  return [joined(patterns), 'invalid_recipient']
}

function disabled(...patterns: readonly RegExp[]): readonly [RegExp, BounceCategory] {
  return [joined(patterns), 'mailbox_disabled']
}

function joined(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}
