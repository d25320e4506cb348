#!/usr/bin/env bash
# Unpacks Debian's LibreOffice, without any font, into a folder, and does there what
# its packages do when they are installed: the registry is copied to below /etc, and
# links and settings lead there.
set -euo pipefail

folder=$1 root=$1/root
office=$root/usr/lib/libreoffice
wanted=(libreoffice-calc-nogui libreoffice-writer-nogui libreoffice-impress-nogui)
# What this machine may have already is fetched as well: programs and libraries must be of one folder.
own=(ure uno-libs-private libuno-cppu3 libuno-cppuhelpergcc3-3 libuno-sal3 libuno-salhelpergcc3-3 libuno-purpenvhelpergcc3-3 libreoffice-common libreoffice-core-nogui python3-uno)

rm -rf "$folder"
mkdir -p "$folder/packages" "$root"
cd "$folder/packages"
others=$(apt-get install -s --no-install-recommends "${wanted[@]}" | awk '/^Inst/ && $2 !~ /^fonts-/ {print $2}')
apt-get download "${wanted[@]}" "${own[@]}" $others
for package in *.deb; do dpkg-deb -x "$package" "$root"; done
find "$root" -type l -lname '/*' | while read -r link; do ln -sfn "$root$(readlink "$link")" "$link"; done
cp -r "$office/share/.registry/." "$root/etc/libreoffice/registry/"
sed -i "s#file:///\(usr/lib\|etc\)/libreoffice#file://$root/\1/libreoffice#g" "$office"/program/*rc
rm -rf "$folder/packages"
