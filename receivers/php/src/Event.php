<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/**
 * The body of a webhook. Ignore fields that are not listed here, and treat an unknown value like its category.
 *
 * @phpstan-type SmtpResponse array{code: int|null, enhanced_code: string|null, message: string, command?: string}
 * @phpstan-type RemoteMta array{name: string, ip?: string}
 * @phpstan-type EmailDelivered array{email_id: string, to: list<string>, occurred_at: string, message_id?: string,
 *     from?: string, subject?: string, tags?: array<string, string>, metadata?: array<string, scalar|null>,
 *     sent_at?: string, remote_mta?: RemoteMta, smtp_response?: SmtpResponse, attempts?: int,
 *     tls?: array{version: string, cipher: string}|null}
 * @phpstan-type EmailBounced array{email_id: string, to: list<string>, occurred_at: string, message_id?: string,
 *     from?: string, subject?: string, tags?: array<string, string>, metadata?: array<string, scalar|null>,
 *     sent_at?: string, recipient: string, bounce: array{type: 'permanent', category: string, message: string,
 *     timing: 'synchronous'|'asynchronous', evidence: string, final_recipient?: string}, smtp_response?: SmtpResponse,
 *     remote_mta?: RemoteMta, reporting_mta?: string, attempts?: int, decided_by?: string}
 * @phpstan-type EmailFailed array{email_id: string, to: list<string>, occurred_at: string, message_id?: string,
 *     from?: string, subject?: string, tags?: array<string, string>, metadata?: array<string, scalar|null>,
 *     sent_at?: string, scope: 'recipient'|'message', failure: array{category: 'infrastructure'|'policy'|'signing',
 *     reason: string, stage?: string, message: string, retryable: bool, expired: bool, blocklist?: string,
 *     final_recipient?: string, suppression?: array{reason: string, since: string}}, smtp_response?: SmtpResponse,
 *     remote_mta?: RemoteMta, reporting_mta?: string, attempts?: int, decided_by?: string}
 * @phpstan-type EmailUnsubscribed array{email_id: string, to: list<string>, occurred_at: string, message_id?: string,
 *     from?: string, subject?: string, tags?: array<string, string>, metadata?: array<string, scalar|null>,
 *     sent_at?: string, recipient: string, unsubscribe: array{source: string, scope: array{type: string, id?: string},
 *     feedback_type?: string, user_agent?: string}}
 * @phpstan-type EmailComplained array{email_id: string, to: list<string>, occurred_at: string, message_id?: string,
 *     from?: string, subject?: string, tags?: array<string, string>, metadata?: array<string, scalar|null>,
 *     sent_at?: string, recipient: string, complaint: array{feedback_type?: string, user_agent?: string}}
 * @phpstan-type EmailDeferred array{email_id: string, to: list<string>, occurred_at: string, message_id?: string,
 *     from?: string, subject?: string, tags?: array<string, string>, metadata?: array<string, scalar|null>,
 *     sent_at?: string, recipient: string, deferral: array{category: 'infrastructure'|'policy'|'signing',
 *     reason: string, message: string}, smtp_response?: SmtpResponse, remote_mta?: RemoteMta, reporting_mta?: string,
 *     attempts?: int}
 * @phpstan-type EmailSuppressed array{email_id: string, to: list<string>, occurred_at: string, message_id?: string,
 *     from?: string, subject?: string, tags?: array<string, string>, metadata?: array<string, scalar|null>,
 *     sent_at?: string, suppression?: array{reason: string, since: string}}
 */
final class Event
{
    // Limited because ids become keys in stores and types become labels.
    private const NAME_CHARACTERS_MAX = 255;
    private const DEPTH_MAX = 0x7FFFFFFF;
    // An escaped half of a surrogate pair; skips other escapes and whole pairs.
    private const HALF_PAIR = '/\\\\(?:[^u]|u[dD][89abAB][\da-fA-F]{2}\\\\u[dD][c-fC-F][\da-fA-F]{2})(*SKIP)(*F)'
        . '|\\\\u[dD][89a-fA-F][\da-fA-F]{2}/';

    /**
     * @param string $id unique; stays the same when the event is delivered again
     * @param string $type for example `email.bounced`; may be unknown to this version
     * @param array<array-key, mixed> $data
     * @param string|null $createdAt when Posthorn created the event (RFC 3339, UTC)
     */
    private function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly array $data,
        public readonly ?string $createdAt,
    ) {
    }

    /** The type, or null if this version does not know it. Answer 2xx to unknown types too. */
    public function knownType(): ?EventType
    {
        return EventType::tryFrom($this->type);
    }

    /** @return EmailDelivered|null the data, or null if the event has another type */
    public function delivered(): ?array
    {
        return $this->type === EventType::Delivered->value ? $this->data : null;
    }

    /** @return EmailBounced|null the data, or null if the event has another type */
    public function bounced(): ?array
    {
        return $this->type === EventType::Bounced->value ? $this->data : null;
    }

    /** @return EmailFailed|null the data, or null if the event has another type */
    public function failed(): ?array
    {
        return $this->type === EventType::Failed->value ? $this->data : null;
    }

    /** @return EmailUnsubscribed|null the data, or null if the event has another type */
    public function unsubscribed(): ?array
    {
        return $this->type === EventType::Unsubscribed->value ? $this->data : null;
    }

    /** @return EmailComplained|null the data, or null if the event has another type */
    public function complained(): ?array
    {
        return $this->type === EventType::Complained->value ? $this->data : null;
    }

    /** @return EmailDeferred|null the data, or null if the event has another type */
    public function deferred(): ?array
    {
        return $this->type === EventType::Deferred->value ? $this->data : null;
    }

    /** @return EmailSuppressed|null the data, or null if the event has another type */
    public function suppressed(): ?array
    {
        return $this->type === EventType::Suppressed->value ? $this->data : null;
    }

    /**
     * Parses verified bytes. As usual with `json_decode`, the last of duplicate keys wins.
     *
     * @throws PayloadException
     */
    public static function parse(string $bytes): self
    {
        $json = str_starts_with($bytes, "\xEF\xBB\xBF") ? substr($bytes, 3) : $bytes;
        $value = json_decode($json, true, self::DEPTH_MAX);
        if (json_last_error() === JSON_ERROR_UTF16) {
            // PHP refuses half of a surrogate pair, which is valid JSON and may come from a subject that was cut.
            $json = preg_replace(self::HALF_PAIR, '\ufffd', $json) ?? '';
            $value = json_decode($json, true, self::DEPTH_MAX);
        }
        if (json_last_error() !== JSON_ERROR_NONE) {
            // No previous error, because it would quote the body, which contains personal addresses.
            throw new PayloadException(ErrorCode::PayloadNotJson);
        }
        $data = $value['data'] ?? [];
        if (
            !is_array($value)
            || !self::isName($value['id'] ?? null)
            || !self::isName($value['type'] ?? null)
            || !is_array($data)
            || (array_key_exists('data', $value) && !self::isObject($json, $value['data']))
        ) {
            throw new PayloadException(ErrorCode::PayloadNotEvent);
        }
        $createdAt = $value['created_at'] ?? null;

        return new self($value['id'], $value['type'], $data, is_string($createdAt) ? $createdAt : null);
    }

    /** JavaScript counts a character above U+FFFF twice, and every library must set the same limit. */
    private static function isName(mixed $value): bool
    {
        return is_string($value)
            && $value !== ''
            && preg_match_all('/[^\x80-\xBF]/', $value) + preg_match_all('/[\xF0-\xF7]/', $value) <= self::NAME_CHARACTERS_MAX;
    }

    /** Objects of PHP cannot have a name that starts with NUL, which JSON can only escape. */
    private static function asObject(string $json): mixed
    {
        return json_decode(str_replace('\u0000', '\u0001', $json), false, self::DEPTH_MAX);
    }

    /** Associative decoding cannot tell `{}` from `[]`, so decode again in the rare case that both are possible. */
    private static function isObject(string $json, mixed $data): bool
    {
        return is_array($data) && (!array_is_list($data) || is_object(self::asObject($json)->data ?? null));
    }
}
