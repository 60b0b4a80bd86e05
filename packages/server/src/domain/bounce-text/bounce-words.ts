import { withoutAccents } from '../classify/plain-words.ts'

/** The text in lower case on one line, without accents, for the patterns of this file. */
export function foldedText(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[\s>|*]+/g, ' ')
}

/** Words that say that a mail was not delivered. */
export const speaksOfNonDelivery = any(
  /\bundeliver|\bnon-?deliver|\bbounce|\bmailer-?daemon\b|\bpostmaster\b|\bmail ?delivery|\bfailure notice\b|\bmail system error\b/,
  /\b(?:not|n't) (?:be |been )?(?:delivered|reached|sent|forwarded)\b|\bdid(?: not|n't) reach\b|\bnot able to (?:deliver|send|reach)\b/,
  /\b(?:unable|failed|impossible|wasn't able|could not|couldn't|can ?not|can't) (?:to )?(?:be )?(?:deliver|send|reach|relay|forward)/,
  /\bdeliver\w* (?:status notification|of \w+|to \w+|has |have )?.{0,24}\b(?:fail|error|problem|impossible|rejected|refused)/,
  /\b(?:mail|message|delivery|transmission) (?:delivery )?(?:failure|failed|error|returned|rejected|refused)\b/,
  /\breturn(?:ed)? (?:mail|message|to sender)\b|\b(?:permanent|fatal|delivery) errors?\b/,
  /\b(?:unzustellbar|nicht (?:zugestellt|ubermittelt|zustellbar)|zustell\w* (?:ist )?fehlgeschlagen|zustellfehler|fehlgeschlagene zustellung)/,
  /\b(?:non (?:remis|distribu|delivr|livr)|echec (?:de (?:la )?)?(?:remise|livraison|distribution|l'envoi)|n'a pas (?:pu (?:etre )?|ete )(?:remis|delivr|distribu|livr|achemin|envoy)|retour de courrier)/,
  /\b(?:no (?:se (?:ha )?(?:pudo|podido|puede)|pudo|ha podido|fue posible) (?:ser )?(?:entreg|envi)|no entregad|fallo (?:en|de) (?:la )?entrega|correo devuelto|mensaje devuelto)/,
  /\b(?:nao (?:pode|foi possivel|foi|pude|sera) (?:ser )?(?:entreg|envi)|falha (?:na|de) entrega|mensagem devolvida|nao entregue)/,
  /\b(?:impossibile (?:consegnare|recapitare|inviare)|mancat[ao] (?:consegna|recapito)|non (?:e stato (?:possibile )?|puo essere )?(?:consegna|recapita))/,
  /\b(?:onbestelbaar|niet (?:worden )?(?:bezorgd|afgeleverd)|aflevering mislukt)/,
  /\b(?:nie (?:zostala |mogla byc |mozna bylo )?(?:dostarczon|doreczon)|niedostarcz|zwrot wiadomosci)/,
  /\b(?:kunde inte levereras|inte levereras|kunne ikke leveres|kunne ikke afleveres|ei voitu toimittaa|nelze dorucit|nedorucit|teslim edileme|kezbesithetetlen)/,
  /не (?:может быть |был[оаи]? |удалось |удается )?(?:доставл|доставить|отправл)|недостав|ошибка доставки|возвращ|невозможно доставить/,
  /(?:配信|配送|送信|配達|お届け|送付)(?:が|を|は|に|する(?:こと)?(?:が|は)?)?(?:でき(?:ません|ない|なか)|不能|失敗|エラー|されません)|不達|エラーメール/,
  /退信|退回|(?:无法|未能|不能|未)(?:被)?(?:投递|送达|发送|递送)|(?:投递|递送|发送)失败|無法(?:投遞|傳送|送達)|반송|(?:전송|배달|전달)(?:할 수 없|되지 않|에? ?실패)/,
)

/** Words that say that a mail server still tries, or that only a warning is sent. */
export const speaksOfDelay = any(
  /\bwarning (?:message )?only\b|\bonly a warning\b|\b(?:has been|was|is|been|being|delivery|message) delayed\b|\bdelayed (?:mail|delivery|message)\b|\bdelivery (?:status notification )?\(?delay/,
  /\bwill (?:be retried|be tried again|keep trying|keep (?:on )?retrying|continue (?:to (?:be )?(?:try|tr|attempt|retr)|trying|retrying|for)|(?:automatically )?(?:retry|try again|try to (?:re)?deliver|attempt))/,
  /(?<!\bno (?:further |more |other |additional )?(?:delivery )?)\battempts? (?:will (?:be made|continue)|are continuing)\b|\bstill (?:being )?(?:retried|tried|trying|queued|in the queue)\b|\bnot yet (?:been )?delivered\b/,
  /\b(?:do not|don't|no) need to re-?send\b|\bwill be returned to you if\b|\bno action is required on your part\b/,
  /\b(?:verzogert|verzogerung|noch nicht zugestellt|weitere zustellversuche|wird weiter(?:hin)? versucht)\b/,
  /\b(?:remise retardee|(?:a ete |est )retarde|pas encore (?:pu |ete )|nouvelles? tentatives? (?:sera|de remise)|sera retente)/,
  /\b(?:retrasad[oa]|se (?:volvera|seguira) (?:a )?(?:intent)|aun no (?:se )?ha|atrasad[oa]|sera tentad[oa] novamente|novas tentativas|in ritardo|ritardat[oa]|verra ritentat|vertraagd|opnieuw (?:worden )?geprobeerd|opoznion)/,
  /отложен|задерж|будут? (?:предприн|повтор)|попытки (?:доставки )?(?:будут )?продолж/,
  /遅延して|遅れて|再(?:送|配信|試行)を?(?:試み|続け|繰り返|行い?ま|します)|延迟(?:投递|通知|送达)|将(?:继续|自动|会)?(?:重试|再次)|正在重试/,
)

/** Words of people who are away, of programs that answer for them, and of those that ask the sender to do something first. */
export const isAnswer = any(
  /\bout of (?:the |my )?office\b|\bauto(?:matic|mated|matische)? ?-?(?:reply|response|responder|antwort)\b|\bautoreply\b|\bon (?:my |annual |sick |parental |maternity |paternity )*(?:leave|vacation|holidays?)\b|\bvacation (?:message|notice|reply)\b/,
  /\bi(?:'m| am|'ll be| will be) (?:currently |now |presently )?(?:away|out|on|not (?:in|at)|absent|travel|no longer|unable to (?:read|respond|reply|answer|check))|\bi (?:no longer|left|moved|changed|have (?:left|moved|changed|now)|will (?:reply|respond|return|be back|read|get back|answer))|\bi've (?:left|moved|changed)\b|\bmy new (?:e-?mail )?address\b/,
  /\b(?:thank you|thanks) for (?:your (?:e-?mail|message|mail|inquiry|enquiry)|contacting|writing)\b/,
  /\b(?:abwesenheit\w*|ich bin|ich habe|ich werde|reponse automatique|je suis|je serai|absence du bureau|respuesta automatica|fuera de la oficina|estoy fuera|estare|resposta automatica|estou|estarei|fora do escritorio|risposta automatica|fuori (?:sede|ufficio)|sono (?:assente|in ferie)|automatisch antwoord|ik ben|autosvar|automaattinen)\b/,
  /автоответ|в отпуске|я отсутств|自動(?:返信|応答)|休暇|退職|不在(?:に|です|のため|と)|自动(?:回复|答复)|休假|出差/,
  /\b(?:confirm|verify|prove) (?:that )?(?:you |your (?:message|identity|humanity|mail\b|e-?mail\b|address))|\bto (?:confirm|verify|release|approve|complete)\b[^.!?]{0,40}\b(?:click|follow|reply|visit)|\b(?:click|follow|visit|reply to this (?:message|mail|e-?mail))\b[^.!?]{0,60}\bto (?:confirm|verify|deliver|release|approve|complete|prove)\b/,
  /\b(?:awaiting|awaits|pending|held for|requires) (?:\w+ )?(?:approval|moderat\w+|confirmation|verification|review)\b|\bcaptcha\b|\bchallenge[ -]response\b|\bquarantin|\bhas been held\b|\bin order (?:for|to (?:have|get)) your (?:message|mail|e-?mail)\b/,
)

/** Subjects of receipts, delays and answers. */
export const isOtherNotice =
  /^(?:(?:re|aw|fwd?|wg|tr) ?: ?)*(?:\[\w+\] )?(?:read|not read|delivered|relayed|expanded|gelesen|zugestellt|ungelesen|lu|non lu|leido|letto|lida)(?: ?:| \()|\b(?:return|read|delivery) receipt\b|\bdelivery status notification ?\((?:delay|success|relay|expanded)|\bsuccessful(?:ly)? (?:mail )?deliver|\bdisposition notification\b/

function any(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'u')
}
