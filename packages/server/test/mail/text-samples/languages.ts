import type { TextSample } from './text-sample.ts'

/** Other languages than English. */
export const languageSamples: readonly TextSample[] = [
  {
    form: 'Exchange, German',
    subject: 'Unzustellbar: Neues im November',
    text: `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Verteilerlisten:

ann@example.org
Die eingegebene E-Mail-Adresse konnte nicht gefunden werden.

Diagnoseinformationen für Administratoren:

Generierender Server: ex01.example.org

ann@example.org
#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##

Ursprüngliche Nachrichtenkopfzeilen:
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'French',
    subject: 'Message non remis',
    text: `Votre message n'a pas pu être remis au destinataire suivant :

<ann@example.org> : 550 Utilisateur inconnu
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Spanish, without a code',
    subject: 'No se pudo entregar el mensaje',
    text: `El mensaje no se pudo entregar a los siguientes destinatarios:

ann@example.org
La dirección de correo del destinatario no existe.
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Portuguese',
    subject: 'Falha na entrega da mensagem',
    text: `A mensagem não pôde ser entregue ao destinatário:

ann@example.org
O servidor respondeu: 550 5.1.1 Usuário desconhecido
`,
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Italian, the mailbox is full',
    subject: 'Mancata consegna',
    text: `Impossibile consegnare il messaggio a:

ann@example.org
552 5.2.2 Casella piena
`,
    expect: 'email.failed',
    reason: 'mailbox_full',
  },
  {
    form: 'Russian',
    subject: 'Сообщение не доставлено',
    text: 'Ваше письмо не может быть доставлено:\n\nann@example.org\n550 Пользователь не найден\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Japanese, without a code',
    subject: 'メールを配信できませんでした',
    text: '次の宛先にメールを配信できませんでした。\n\nann@example.org\n宛先のメールアドレスが存在しません。\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Chinese',
    subject: '退信通知',
    text: '您的邮件无法投递到以下收件人：\n\nann@example.org\n原因：550 用户不存在\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Dutch',
    subject: 'Onbestelbaar: Nieuws',
    text: 'Uw bericht kon niet worden bezorgd aan:\n\nann@example.org\nDe ontvanger is onbekend.\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Polish',
    subject: 'Nie dostarczono wiadomości',
    text: 'Wiadomość nie mogła być dostarczona:\n\nann@example.org: 550 Użytkownik nie istnieje\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Spanish, the address was not found',
    subject: 'No se puede entregar: Noticias',
    text: 'No se puede entregar a:\n\nann@example.org\nNo se encontró la dirección de correo electrónico.\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Portuguese, the address was not found',
    subject: 'Não entregue: Notícias',
    text: 'ann@example.org\nO endereço de email não foi encontrado.\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Italian, the address was not found',
    subject: 'Mancato recapito: Notizie',
    text: "ann@example.org\nL'indirizzo di posta elettronica non è stato trovato.\n",
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Dutch, the address was not found',
    subject: 'Onbestelbaar: Nieuws',
    text: 'ann@example.org\nHet e-mailadres kan niet worden gevonden.\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
  {
    form: 'Chinese, the address was not found',
    subject: '未送达',
    text: 'ann@example.org\n找不到该电子邮件地址。\n',
    expect: 'email.bounced',
    reason: 'invalid_recipient',
  },
]
