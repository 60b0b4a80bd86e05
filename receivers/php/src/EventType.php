<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** The event types that this version knows. Posthorn may add more: see `Event::knownType`. */
enum EventType: string
{
    /** The recipient's mail server accepted the email. A bounce may still follow. */
    case Delivered = 'email.delivered';
    /** A confirmed permanent failure of the recipient's address. */
    case Bounced = 'email.bounced';
    /** The email did not arrive because of an infrastructure, policy or signing failure. */
    case Failed = 'email.failed';
    /** The recipient unsubscribed or reported the email as spam. */
    case Unsubscribed = 'email.unsubscribed';
    /** The recipient reported the email as spam. Only endpoints that name the type get it. */
    case Complained = 'email.complained';
    /** The recipient's first deferral: the mail server tries again. Only endpoints that name the type get it. */
    case Deferred = 'email.deferred';
    /** The email was not sent, because the address is suppressed. Only endpoints that name the type get it. */
    case Suppressed = 'email.suppressed';
}
