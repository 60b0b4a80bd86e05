import type { FailureName } from './failure.ts'

/** Words that name another cause than the address. They rule out a bounce, whatever the codes say. */
export interface Veto {
  readonly pattern: RegExp
  readonly failure: FailureName
  /** Also matches the names of hosts. */
  readonly inHosts?: true
  /** Does not apply if a code and a phrase both prove that the address is bad. */
  readonly weighsLess?: true
}

/** The first match gives the reason, so specific phrases come before general ones. */
export const vetoPhrases: readonly Veto[] = [
  veto(
    'mailbox_full',
    /\bover ?-?quota\b|\bquota\b.{0,30}\b(?:exceed|violat|full|reached|exhausted)|\b(?:exceed|out of|over)\w*\b.{0,40}\bquota|\bquota ?exceeded|shutoffquota/,
    /\b(?:mail ?box|in-?box|mail ?drop|mail ?folder|account|user|spool)\b.{0,24}\b(?:is |was |too |almost )*(?:full|over (?:its |the )?(?:size|limit))\b|\bfull mail ?box\b/,
    /\breached\b.{0,24}\bquota|\bexceed\w* (?:its |the |their |your )?disk (?:space|quota)|\btoo many messages (?:on|in) (?:the |this |your |its )?(?:server|mail ?box|in-?box)\b/,
    /\bout of (?:storage|space)|\bexceeded (?:its |the )?storage|\bstorage (?:limit|allocation)|mailbox size (?:limit )?exceeded|mailbox size limit|\binsufficient (?:mailbox )?(?:space|storage)\b/,
    /\bbo[ix]te\b.{0,40}\b(?:plein|satur)|\bbuzon\b.{0,30}\blleno|\bpostfach\b.{0,30}\bvoll\b|\bcaixa\b.{0,30}\bcheia|\bcasella\b.{0,30}\bpiena|\bcuota\b.{0,20}\b(?:excedid|superad)/,
  ),
  veto('remote_system_full', /\binsufficient (?:system|disk)|\bdisk (?:is )?full\b|no space left/),
  veto(
    'too_many_recipients',
    /(?<!sent to )\btoo many (?:envelope )?(?:recipients|rcpt)/,
    /\bmaximum (?:number of )?recipients\b/,
  ),
  veto(
    'rate_limited',
    /\breceiving mail (?:at a rate|too (?:quickly|fast))|\btoo many (?:\w+ )?(?:messages|connections|errors|invalid|sessions|mails|emails|e-mails|concurrent)/,
    /\brate[ -]?limit|\bthrottl|\bexceed\w*\b.{0,80}\bper (?:hour|day|minute|second)|\bfrequency (?:is )?limited|\bsent to too many/,
    /\bunusual (?:rate|volume)|\bexcessive (?:volume|rate)|\bunexpected volume|\bexceeded (?:their|your|the|its|message)\b.{0,20}\blimit (?:for|of)\b|message rate/,
  ),
  { failure: 'spam_rejected', inHosts: true, pattern: /\b(?:surbl|uribl)\w*/ },
  {
    failure: 'ip_blocked',
    inHosts: true,
    pattern:
      /\bspamhaus|\bbarracudacentral|\bspamcop|\bsorbs\b|\babuseat\b|\buceprotect|\bdns-?[bw]ls?\b|\bdnsbl-|\brbls?\b|\bcloudmark\b|\bblack ?-?list|\bblock ?-?list/,
  },
  veto(
    'ip_blocked',
    /(?<!not |n't )\b(?:black|block)?listed (?:at|in|by|on)\b|\bclient host\b.{0,80}\b(?:blocked|rejected|denied|refused)|\bbanned\b|\baccess from (?:your )?ip/,
    /\bip(?: address| source| range)?\b.{0,40}\b(?:blocked|banned|denied|rejected|refused|bloque\w*)\b|\bblocked (?:ip|using|by (?:ip|rbl))|\bbloquee? pour\b|\bhost network not allowed|\bblocked - see\b/,
    /\b(?:connection|server|host|client|network)s?\b.{0,20}\b(?:blocked|blacklisted|not allowed)\b/,
  ),
  veto('reputation_blocked', /\breputation\b|\b(?:user|recipient|spam) complaints?\b/),
  veto(
    'virus_detected',
    /\bvirus|\bmalware|\bphish|\btrojan|\binfected\b|\billegal attachment|spamsignature/,
  ),
  veto(
    'authentication_failed',
    /\bspf\b|\bspf-|\bdkim\b|\bdmarc\b|\barc\b(?= (?:fail|check|valid))|\bptr\b|\breverse[ -]?dns|\brdns\b|\breverse lookup|\bunauthenticated|\bsender ?-?id\b|\bpurported responsible|\bmismatch\w* client ip/,
    /\bip name lookup failed|\bcannot find your (?:reverse )?host ?name|\bno authentication information|\bfails? to (?:pass )?authenticat|\bauthentication information\b/,
  ),
  veto(
    'spam_rejected',
    /\b(?:anti-?)?spam\w*|\bunsolicited|\bube\b|\buce\b|\bjunk ?(?:mail|e-?mail)?\b|\bbulk e?-?mail|\bcontent filter\w*/,
  ),
  veto(
    'sender_rejected',
    /\bsender(?:'?s)?\b.{0,40}\b(?:rejected|denied|refused|unknown|invalid|blocked|not (?:allowed|accepted|verified|exist|found|permitted)|does(?: not|n't) exist|verif\w*|callout|address)/,
    /\b(?:invalid|unknown|bad|forged|unverified|blocked|rejected|suspected|null) (?:\w+ )?sender\b|\bdomain of sender|\banti-?spoof|\bspoof(?:ed|ing)\b|\bemail address is not verified|\benvelope (?:sender|from)\b/,
    /\b(?:return|from|originat\w*|reply-to|helo|ehlo)(?:ing)? (?:e-?mail )?address\b|\bmail ?from\b.{0,60}\b(?:rejected|denied|invalid|unknown|refused|not |does|must)|\bfrom: ?header|\bvalid sender\b/,
    /\b(?:emetteur|expediteur|absender|remitente|remetente|mittente|afzender)\b/,
  ),
  veto(
    'relay_denied',
    /\brelay(?:ing)?\b.{0,30}\b(?:denied|prohibited|disallowed|refused|rejected|not (?:permitted|allowed|authori[sz]ed|accepted|possible))/,
    /\b(?:not|un)(?: permitted| allowed| configured| authori[sz]ed|able| able|authori[sz]ed)? to relay|\b(?:cannot|can't|can not|won't|will not|do not|don't|does not|doesn't|no|refuse to|denied) relay|\bopen relay|\brelay (?:access )?(?:denied|required)/,
  ),
  veto(
    'message_too_large',
    /\b(?:message|mail|e-?mail|header|headers|body|attachment|attachments|content|size)\b(?:(?!\bqueue\b).){0,40}\btoo (?:big|large|long)|\b(?:message |mail |file |attachment )?size limit|\bmessage (?:size|length)\b.{0,20}\b(?:exceed|limit)/,
    /\bexceed\w* (?:the |fixed |our |a )*(?:maximum|max|allowed|administrative) (?:\w+ )?(?:message |mail )?(?:size|length)|\bexceeds? fixed maximum|\brecipsizelimit/,
  ),
  veto(
    'content_rejected',
    /\bcontent (?:was |is |has been )?(?:rejected|refused|denied|filtered|blocked)|\bcontent presents\b|\bnot rfc[ -]?\w* ?\d* compliant|\bheaders? (?:error|are not|too)/,
    /\bmultiple (?:\w+ )?(?:addresses in from|subject|from) ?:?/,
  ),
  {
    failure: 'content_rejected',
    weighsLess: true,
    pattern:
      /\b(?:message|mail|e-?mail|attachment)s?(?: (?:was|has been|have been|is|been|were|content|from @))* (?:rejected|refused|denied|filtered|blocked|rejete)\b/,
  },
  veto(
    'tls_required',
    /\bstarttls (?:command )?first|\b(?:tls|encryption) (?:is )?required|\bmust issue a starttls|\bnot sent over tls|\brequires? (?:tls|encryption)/,
  ),
  veto(
    'tls_failed',
    /\btls (?:handshake|negotiation|connection|session)|\bstarttls (?:fail|error|refused)|\bcertificate\b.{0,40}\b(?:verif|expired|invalid|untrusted|fail)|\bmta-?sts\b|\btlsa\b|\bcannot start tls|server certificate/,
  ),
  veto(
    'routing_loop',
    /\btoo many hops|\bhop count|\bloops? (?:back|detected)|\b(?:routing|mail|forwarding|delivery)[ -](?:\w+ )?loop/,
  ),
  veto(
    'connection_failed',
    /\bconnection refused|\btried all mx|\ball mxs? failed|could not connect|unable to connect/,
  ),
  veto('connection_timeout', /\btimed ?out\b|\btime-?out\b/),
  veto(
    'connection_lost',
    /\blost connection|\bconnection (?:was |is |has been )?(?:reset|lost|dropped|closed|broken)/,
  ),
  veto('network_error', /\bno route\b|\b(?:network|host) (?:is )?unreachable/),
  veto(
    'dns_failure',
    /\bunexpected name server reply|\bservfail\b|\bhost not found,? try again|\bdnssec\b|\bname ?server\b.{0,40}\b(?:time|fail|refused)|\bmx\b.{0,40}\b(?:do(?:es)? not resolve|point to non-?exist[ae]nt)/,
  ),
  veto(
    'delivery_expired',
    /\bmessage expired|\bin (?:the )?queue (?:for )?too long|\bretry timeout exceeded|\btoo many failures|\bdelivery time expired/,
  ),
  veto(
    'access_denied',
    /\b(?:allow|white|safe|access|permit|approved|authori[sz]ed)(?:ed|ted)?[ -]?(?:senders?'? |recipients?'? )?list|\blist of (?:allowed|permitted|approved|authori[sz]ed)\b/,
    /\brecipient (?:\w+ )?preferences?|\bauthenti(?:cation|fication) (?:is )?required|\bauthrequired/,
  ),
]

/** A temporary condition. It rules out a bounce and makes the failure retryable. */
export const temporaryPhrase =
  /\btemporar|\brecipient address rejected: unverified address\b|\bgr[ae]y ?-?list|(?<!\b(?:check|verify|correct|confirm|fix)\b.{0,80}(?:and|then|before|,) ?(?:then )?(?:please )?)\btry(?:ing)? again|\bplease (?:retry|re-?try|try later)|\btry (?:it )?later|\bplus tard\b|\bmas tarde\b|\bspater (?:noch ?mal|erneut|wieder)|\briprova/

/** Too weak against a code about the address, but enough if only the text proves a bounce. */
export const weakVetoPhrase =
  /\bpolic(?:y|ies)\b|\baccess denied|\bblocked\b|\bblock(?:ing)?\b|\bbloque\w*|\bby (?:the )?recipients?\b|\bprohibit|\brestrict|\bnot (?:authori[sz]ed|allowed|permitted)\b|\bpermission\b|\blocked\b|\bsecurity\b/

function veto(failure: FailureName, ...patterns: readonly RegExp[]): Veto {
  return { failure, pattern: new RegExp(patterns.map(({ source }) => source).join('|')) }
}
