#!/usr/bin/env bash
# Publishes the library to an empty registry in a folder, installs it from there into an empty project with an empty local
# repository, and verifies a request. Only Maven's plugins come from the local repository of this machine.
set -euo pipefail
# Starts faster, because Maven runs only for seconds.
export MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
package=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/source" "$scratch/project/src/main/java"
cp -r "$package"/{pom.xml,LICENSE,src} "$scratch/source"

cat >"$scratch/settings.xml" <<XML
<settings>
  <mirrors>
    <mirror><id>scratch</id><url>file://$scratch/registry</url><mirrorOf>published</mirrorOf></mirror>
    <mirror><id>machine</id><url>file://$HOME/.m2/repository</url><mirrorOf>*,!published</mirrorOf></mirror>
  </mirrors>
</settings>
XML

# With `online`, it downloads what is missing for the next time.
settings=(--settings "$scratch/settings.xml")
[[ ${1:-} != online ]] || settings=()
cd "$scratch/source"
mvn --batch-mode --quiet "${settings[@]}" -Dmaven.test.skip \
  deploy -DaltDeploymentRepository="scratch::file://$scratch/registry" >&2
published=$scratch/registry/io/posthorn/posthorn-receiver/0.1.0
for file in .pom .jar -sources.jar -javadoc.jar; do
  [[ -e $published/posthorn-receiver-0.1.0$file ]] || { echo "$file was not published"; exit 1; }
done
jar=$published/posthorn-receiver-0.1.0.jar
files=$(jar --list --file "$jar")
echo "packed: $(grep --count --invert-match '/$' <<<"$files") files, $(stat --format=%s "$jar") bytes"
[[ $files != *Test* ]] || { echo 'the package contains its tests'; exit 1; }

cd "$scratch/project"
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>empty</groupId>
  <artifactId>project</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>
    <repository><id>published</id><url>file:///replaced-by-the-mirror</url></repository>
  </repositories>
  <dependencies>
    <dependency><groupId>io.posthorn</groupId><artifactId>posthorn-receiver</artifactId><version>0.1.0</version></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version></plugin>
      <plugin><artifactId>maven-dependency-plugin</artifactId><version>3.11.0</version></plugin>
    </plugins>
  </build>
</project>
XML
cat >src/main/java/Main.java <<'JAVA'
import io.posthorn.receiver.*;
import java.nio.charset.StandardCharsets;

class Main {
    public static void main(String[] args) {
        String secret = "whsec_test_0123456789abcdef0123456789abcdef";
        byte[] body = "{\"id\":\"evt_1\",\"type\":\"email.bounced\"}".getBytes(StandardCharsets.UTF_8);
        Event event = Verifier.of(secret).constructEvent(body, Signature.sign(body, secret));
        System.out.println("verified " + event.id() + ", a known type: " + (event.data() instanceof EmailBounced));
    }
}
JAVA
mvn --batch-mode --quiet --settings "$scratch/settings.xml" -Dmaven.repo.local="$scratch/repository" \
  compile dependency:build-classpath -Dmdep.outputFile=classpath >&2
echo "installed: $(tr ':' '\n' <classpath | xargs --max-args=1 basename)"
java -cp "target/classes:$(<classpath)" Main
