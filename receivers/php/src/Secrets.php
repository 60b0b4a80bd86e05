<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** @internal */
final class Secrets
{
    // JavaScript's white space, so that every library refuses the same secrets with the same code.
    private const WHITE_SPACE = '/[\s\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]/u';
    // Text before `whsec_`, a character that no secret has, another credential, an id, or a missing prefix.
    private const WRONG_KIND = '/.whsec_|[^\w+\/=-]|\A(ph[ak]|whk?)_|\A[^_]{43,44}\z/';

    /**
     * Refuses secrets that can only be a mistake. An empty secret is the worst, because anyone can sign with it.
     *
     * @return list<string>
     * @throws UsageException
     */
    public static function check(#[\SensitiveParameter] mixed $secrets): array
    {
        $list = is_array($secrets) ? array_values($secrets) : [$secrets];
        if ($list === []) {
            throw new UsageException(ErrorCode::SecretMissing);
        }
        if (count($list) > 10) {
            throw new UsageException(ErrorCode::SecretsTooMany);
        }
        if (in_array('', $list, true) || in_array('whsec_', $list, true)) {
            throw new UsageException(ErrorCode::SecretEmpty);
        }
        foreach ($list as $secret) {
            $fault = self::faultOf($secret);
            if ($fault !== null) {
                throw new UsageException($fault);
            }
        }

        return $list;
    }

    private static function faultOf(#[\SensitiveParameter] mixed $secret): ?ErrorCode
    {
        return match (true) {
            !is_string($secret) => ErrorCode::SecretMissing,
            preg_match(self::WHITE_SPACE, $secret) === 1 => ErrorCode::SecretWhitespace,
            preg_match(self::WRONG_KIND, $secret) === 1 => ErrorCode::SecretWrongKind,
            // `secret_prefix` from the API has 10 characters and must not pass as a secret.
            strlen($secret) < 24 => ErrorCode::SecretTooShort,
            default => null,
        };
    }
}
