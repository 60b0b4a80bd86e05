<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** The codes of all errors in this package: the same closed list as in Posthorn's other libraries. */
enum ErrorCode: string
{
    case HeaderMissing = 'header_missing';
    case HeaderMalformed = 'header_malformed';
    case HeaderAmbiguous = 'header_ambiguous';
    case TimestampMissing = 'timestamp_missing';
    case TimestampMalformed = 'timestamp_malformed';
    case SignatureMissing = 'signature_missing';
    case SignatureMismatch = 'signature_mismatch';
    case TimestampTooOld = 'timestamp_too_old';
    case TimestampInFuture = 'timestamp_in_future';
    case PayloadTooLarge = 'payload_too_large';
    case PayloadNotJson = 'payload_not_json';
    case PayloadNotEvent = 'payload_not_event';
    case EventChanged = 'event_changed';
    case SecretMissing = 'secret_missing';
    case SecretEmpty = 'secret_empty';
    case SecretWhitespace = 'secret_whitespace';
    case SecretTooShort = 'secret_too_short';
    case SecretWrongKind = 'secret_wrong_kind';
    case SecretsTooMany = 'secrets_too_many';
    case ToleranceInvalid = 'tolerance_invalid';
    case OptionInvalid = 'option_invalid';
    case BodyMissing = 'body_missing';
    case BodyAlreadyParsed = 'body_already_parsed';
    case BodyAlreadyConsumed = 'body_already_consumed';
    case CryptoUnavailable = 'crypto_unavailable';
    case StoreUnavailable = 'store_unavailable';

    /** What is wrong and what to do, for your log. Never put it into a response. */
    public function inWords(): string
    {
        return match ($this) {
            self::HeaderMissing => 'The request has no signature header. Check that it comes from Posthorn and that no proxy removes it.',
            self::HeaderMalformed => 'The signature header is longer than 4,096 bytes, is not ASCII, or has more than one t.',
            self::HeaderAmbiguous => 'The request has the signature header more than once.',
            self::TimestampMissing => 'The signature header has no t.',
            self::TimestampMalformed => 't in the signature header is not a number of 1 to 15 digits.',
            self::SignatureMissing => 'The signature header has no v1, v1s or v1s2 with 64 hexadecimal characters.',
            self::SignatureMismatch => 'No signature matches. Either the secret is the wrong one, or the body is not the bytes that arrived: do not decode, trim, convert or serialize it again.',
            self::TimestampTooOld => 'The request was signed too long ago. If every request fails like this, check the clock of this machine.',
            self::TimestampInFuture => 'The request was signed in the future. If every request fails like this, check the clock of this machine.',
            self::PayloadTooLarge => 'The body is larger than maxBodyBytes.',
            self::PayloadNotJson => 'The signature is right, but the body is not JSON.',
            self::PayloadNotEvent => 'The signature is right, but the body has no id, no type, or data that is not an object.',
            self::EventChanged => 'This event arrived before with another body. The first body counts.',
            self::SecretMissing => 'There is no secret, or it is not text. Pass the secret of the endpoint (whsec_…).',
            self::SecretEmpty => 'A secret is empty, so anybody could sign with it. Is the environment variable set?',
            self::SecretWhitespace => 'A secret contains a space or a line break. A file often ends with one: remove it with trim(). Use the whole secret (whsec_…), without quotes or a name.',
            self::SecretTooShort => 'A secret is too short. secret_prefix is only its beginning. Use the whole secret (whsec_…), without quotes or a name.',
            self::SecretWrongKind => 'This is not the secret of an endpoint. Use the whole secret (whsec_…), without quotes or a name.',
            self::SecretsTooMany => 'There are more than ten secrets.',
            self::ToleranceInvalid => 'toleranceSeconds must be an int of 0 or more. 0 turns the time check off.',
            self::OptionInvalid => 'An option has a value that cannot work.',
            self::BodyMissing => 'There is no body. Pass the raw body as a string, for example file_get_contents(\'php://input\').',
            self::BodyAlreadyParsed => 'The body was already parsed, and serializing it again does not restore the signed bytes. Pass the raw body as a string: file_get_contents(\'php://input\'), $request->getContent(), or (string) $request->getBody().',
            self::BodyAlreadyConsumed => 'Something read the body before and did not keep it. Verify the raw body first.',
            self::CryptoUnavailable => 'PHP has no HMAC-SHA256. Install ext-hash.',
            self::StoreUnavailable => 'The store of processed events failed. Events may be processed again.',
        };
    }
}
